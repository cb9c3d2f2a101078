// @ts-check
"use strict";

/**
 * Show the rows of a table body that hold the text that is looked for, and are of a kind that is chosen.
 * @param {string} rows the id of the body
 */
const filterRows = (rows) => {
  const field = document.querySelector(`input[data-filters="${rows}"]`);
  const wanted = field instanceof HTMLInputElement ? field.value.toLowerCase() : "";
  const pressed = document.querySelectorAll(`button.reason[data-rows="${rows}"][aria-pressed="true"]`);
  const kinds = new Set([...pressed].map((one) => one instanceof HTMLElement ? one.dataset.kind : ""));
  for (const row of document.getElementById(rows)?.children ?? []) {
    if (!(row instanceof HTMLElement)) continue;
    const chosen = kinds.size === 0 || kinds.has(row.dataset.kind);
    row.hidden = !chosen || !(row.textContent ?? "").toLowerCase().includes(wanted);
  }
};

for (const field of document.querySelectorAll("input[data-filters]")) {
  if (field instanceof HTMLInputElement) {
    field.addEventListener("input", () => filterRows(field.dataset.filters ?? ""));
  }
}

for (const button of document.querySelectorAll("button.reason")) {
  button.addEventListener("click", () => {
    button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
    if (button instanceof HTMLElement) filterRows(button.dataset.rows ?? "");
  });
}

/** @param {Element | undefined} cell */
const valueOf = (cell) => {
  const text = cell instanceof HTMLElement ? cell.dataset.value ?? cell.textContent ?? "" : "";
  return { text, number: Number.parseFloat(text) };
};

for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.querySelectorAll("thead th")];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const rising = head.getAttribute("aria-sort") !== "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", rising ? "ascending" : "descending");
      const body = table.querySelector("tbody");
      const rows = [...(body?.children ?? [])];
      rows.sort((one, other) => {
        const [a, b] = [valueOf(one.children[column]), valueOf(other.children[column])];
        const order = Number.isNaN(a.number) || Number.isNaN(b.number)
          ? a.text.localeCompare(b.text) : a.number - b.number;
        return rising ? order : -order;
      });
      body?.replaceChildren(...rows);
    });
  });
}

for (const button of document.querySelectorAll("button[data-copies]")) {
  button.addEventListener("click", async () => {
    const text = button.parentElement?.querySelector("pre")?.textContent ?? "";
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "copied";
    } catch {
      button.textContent = "select and copy";
    }
  });
}

for (const part of document.querySelectorAll(".tree-part")) {
  const picture = part.querySelector("svg.tree");
  let scale = 1;
  for (const button of part.querySelectorAll("button[data-zoom]")) {
    button.addEventListener("click", () => {
      if (!(picture instanceof SVGSVGElement) || !(button instanceof HTMLElement)) return;
      scale *= button.dataset.zoom === "in" ? 1.25 : 0.8;
      picture.setAttribute("width", String(picture.viewBox.baseVal.width * scale));
      picture.setAttribute("height", String(picture.viewBox.baseVal.height * scale));
    });
  }
  const slider = part.querySelector("input[data-grows]");
  if (!(slider instanceof HTMLInputElement)) continue;
  slider.addEventListener("input", () => {
    const until = Number(slider.value);
    for (const one of part.querySelectorAll("[data-order]")) {
      one.classList.toggle("later", Number(one.getAttribute("data-order")) > until);
    }
    const told = part.querySelector("output");
    if (told) told.textContent = slider.value === slider.max ? "all" : `the first ${until} events`;
  });
}

/** A test or line that a link leads to is opened. */
const openTarget = () => {
  const found = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const part = found instanceof HTMLDetailsElement ? found : found?.querySelector("details");
  if (part) part.open = true;
};
addEventListener("hashchange", openTarget);
openTarget();

/** A page that is served while it changes asks whether there is a newer one. */
const live = document.body.dataset.live;
if (live !== undefined) {
  const told = document.querySelector(".live");
  setInterval(async () => {
    let words = "";
    try {
      const status = await (await fetch("status.json", { cache: "no-store" })).json();
      if (String(status.version) !== live) location.reload();
      if (status.working) words = "Tests are being generated.";
    } catch {
      words = "tracetwin watch has ended: this page stays as it is.";
    }
    if (told && told.textContent !== words) told.textContent = words;
  }, 1000);
}
