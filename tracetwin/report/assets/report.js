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
    const chosen = kinds.size === 0 || [...kinds].some((kind) => row.dataset.kind === kind || row.dataset.kind?.startsWith(`${kind}.`));
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

/**
 * A constraint tree that can be folded: only what is in sight is drawn, with fewer details when it is small.
 * @typedef {{parent: number, label: string, told: string, state: string, order: number, callee: string,
 *   children: number[], folded: boolean}} Box
 */
const WIDTH = 284, HEIGHT = 26, BOX = 252, MARGIN = 200, FIRST = 40;
const NAMESPACE = "http://www.w3.org/2000/svg";

/** @param {string} kind @param {Record<string, string | number>} attributes @param {string} [text] */
const element = (kind, attributes, text) => {
  const made = document.createElementNS(NAMESPACE, kind);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
};

class FoldableTree {
  /** @param {Element} part @param {SVGSVGElement} picture @param {HTMLElement} view */
  constructor(part, picture, view) {
    this.part = part;
    this.picture = picture;
    this.view = view;
    this.scale = 1;
    this.until = Infinity;
    /** @type {{box: number, x: number, y: number, from: number}[]} */
    this.places = [];
    /** @type {[number, string, string, string, number, string][]} */
    const rows = JSON.parse(part.querySelector(".tree-data")?.textContent ?? "[]");
    /** @type {Box[]} */
    this.boxes = rows.map(([parent, label, told, state, order, callee]) =>
      ({ parent, label, told, state, order, callee, children: [], folded: false }));
    this.boxes.forEach((box, number) => this.boxes[box.parent]?.children.push(number));
    this.boxes.forEach((box, number) => { box.folded = this.begins(number); });
    this.foldDeep();
    picture.setAttribute("role", "group");
    picture.addEventListener("click", (event) => this.toggled(event));
    picture.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      this.toggled(event);
    });
    view.addEventListener("scroll", () => requestAnimationFrame(() => this.draw()));
    this.place();
    this.lookAt(0, this.view.clientHeight / 2);
  }

  /** Fold what is deep in a large tree: no more is shown at first than a reader takes in. */
  foldDeep() {
    let shown = 0;
    const waiting = this.boxes.flatMap((box, number) => box.parent < 0 ? [number] : []);
    for (const number of waiting) {
      const after = this.after(number);
      shown += 1;
      if (shown + after.length > FIRST && after.length) this.boxes[number].folded = true;
      else waiting.push(...after);
    }
  }

  /** Scroll so that a box is so many pixels below the upper edge. @param {number} number @param {number} below */
  lookAt(number, below) {
    const spot = this.index?.get(number);
    if (spot) this.view.scrollTop = spot.y * HEIGHT * this.scale - below;
    this.draw();
  }

  /** Whether a box is the first of a call of another function. @param {number} number */
  begins(number) {
    const box = this.boxes[number];
    return box.callee !== "" && this.boxes[box.parent]?.callee !== box.callee;
  }

  /** What follows a box as it is shown: behind a folded call, what comes after it. @param {number} number */
  after(number) {
    const box = this.boxes[number];
    if (!box.folded) return box.children;
    if (!this.begins(number)) return [];
    const found = [], waiting = [...box.children].reverse();
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (this.boxes[next].callee === box.callee) waiting.push(...[...this.boxes[next].children].reverse());
      else found.push(next);
    }
    return found;
  }

  /** Give each box that is not folded away its place: ends below each other, depth from left to right. */
  place() {
    /** @type {Map<number, {box: number, x: number, y: number, from: number}>} */
    const places = new Map();
    const order = [];
    let rows = 0, depth = 0;
    const waiting = this.boxes.flatMap((box, number) => box.parent < 0 ? [{ number, from: -1, x: 0 }] : []).reverse();
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const after = this.after(next.number);
      const spot = { box: next.number, x: next.x, y: after.length ? -1 : rows++, from: next.from };
      places.set(next.number, spot);
      order.push({ spot, after });
      depth = Math.max(depth, next.x);
      for (const child of [...after].reverse()) waiting.push({ number: child, from: next.number, x: next.x + 1 });
    }
    for (const { spot, after } of [...order].reverse()) {
      if (after.length) spot.y = rows > FIRST ? places.get(after[0])?.y ?? 0 : ((places.get(after[0])?.y ?? 0) + (places.get(after[after.length - 1])?.y ?? 0)) / 2;
    }
    this.index = places;
    this.places = order.map(({ spot }) => spot);
    this.size = { width: (depth + 1) * WIDTH, height: rows * HEIGHT + 4 };
    this.resize();
  }

  resize() {
    const { width, height } = this.size ?? { width: 0, height: 0 };
    this.picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.picture.setAttribute("width", String(width * this.scale));
    this.picture.setAttribute("height", String(height * this.scale));
    this.draw();
  }

  /** Draw what is in sight. */
  draw() {
    const active = document.activeElement instanceof Element ? document.activeElement.getAttribute("data-box") : null;
    const left = (this.view.scrollLeft - MARGIN) / this.scale, top = (this.view.scrollTop - MARGIN) / this.scale;
    const right = left + (this.view.clientWidth + 2 * MARGIN) / this.scale;
    const bottom = top + ((this.view.clientHeight || 600) + 2 * MARGIN) / this.scale;
    const drawn = document.createDocumentFragment();
    for (const spot of this.places) {
      const x = 4 + spot.x * WIDTH, y = 2 + spot.y * HEIGHT;
      const from = this.index?.get(spot.from);
      const y0 = from ? 2 + from.y * HEIGHT : y;
      if (x > right + WIDTH || x + BOX + WIDTH < left || Math.min(y, y0) > bottom || Math.max(y, y0) + HEIGHT < top) continue;
      if (from) {
        const start = 4 + from.x * WIDTH + BOX, middle = (start + x) / 2;
        const way = `M${start} ${y0 + 11}C${middle} ${y0 + 11} ${middle} ${y + 11} ${x} ${y + 11}`;
        const edge = element("path", { "data-order": this.boxes[spot.box].order, d: way });
        edge.classList.toggle("later", this.boxes[spot.box].order > this.until);
        drawn.append(edge);
      }
      if (y <= bottom && y + HEIGHT >= top) drawn.append(this.box(spot.box, x, y));
    }
    this.picture.replaceChildren(drawn);
    if (active !== null) {
      const again = this.picture.querySelector(`[data-box="${active}"]`);
      if (again instanceof SVGElement) again.focus({ preventScroll: true });
    }
  }

  /** @param {number} number @param {number} x @param {number} y */
  box(number, x, y) {
    const box = this.boxes[number];
    const call = this.begins(number), folds = call || box.children.length > 0;
    const made = element("g", { class: box.folded ? `${box.state} folded` : box.state, "data-order": box.order, "data-box": number });
    made.classList.toggle("later", box.order > this.until);
    made.classList.toggle("now", box.order === this.until);
    const label = call && box.folded ? `▸ ${box.callee}()` : `${folds ? (box.folded ? "▸ " : "▾ ") : ""}${box.label}`;
    if (folds) {
      for (const [name, value] of [["tabindex", "0"], ["role", "button"], ["aria-expanded", String(!box.folded)]]) made.setAttribute(name, value);
      made.setAttribute("aria-label", label);
    }
    const told = call ? `a call of ${box.callee}, ${box.folded ? "folded" : "unfolded"}\n${box.told}` : box.told;
    made.append(element("title", {}, told), element("rect", { x, y, width: BOX, height: HEIGHT - 4, rx: 4 }));
    if (this.scale >= 0.5) made.append(element("text", { x: x + 6, y: y + 15 }, label.length > 33 ? `${label.slice(0, 32)}…` : label));
    return made;
  }

  /** @param {Event} event */
  toggled(event) {
    const found = event.target instanceof Element ? event.target.closest("[data-box]") : null;
    const box = this.boxes[Number(found?.getAttribute("data-box") ?? -1)];
    if (!box || (box.children.length === 0 && !box.callee)) return;
    const number = this.boxes.indexOf(box);
    const below = (this.index?.get(number)?.y ?? 0) * HEIGHT * this.scale - this.view.scrollTop;
    box.folded = !box.folded;
    this.place();
    this.lookAt(number, below);
  }

  /** Show it larger or smaller, with the same in the middle. @param {number} times */
  zoom(times) {
    const [left, top] = [this.view.clientWidth / 2, this.view.clientHeight / 2];
    const [x, y] = [(this.view.scrollLeft + left) * times, (this.view.scrollTop + top) * times];
    this.scale *= times;
    this.resize();
    this.view.scrollTo(x - left, y - top);
    this.draw();
  }

  /** Fold all, but for the beginning; or nothing. @param {boolean} folded */
  foldAll(folded) {
    this.boxes.forEach((box, number) => { box.folded = folded && (this.begins(number) || (box.parent >= 0 && box.children.length > 0)); });
    this.place();
    this.view.scrollLeft = 0;
    this.lookAt(0, this.view.clientHeight / 2);
  }
}

/** What the letters for events mean, by letter. */
const EVENTS = new Map([...document.querySelectorAll("[data-events] dt")].map((term) => [term.textContent, term.nextElementSibling?.textContent]));

for (const part of document.querySelectorAll(".tree-part")) {
  const picture = part.querySelector("svg.tree"), view = part.querySelector(".picture");
  if (!(picture instanceof SVGSVGElement) || !(view instanceof HTMLElement)) continue;
  /** @type {FoldableTree | undefined} */
  let made;
  const tree = () => made ??= new FoldableTree(part, picture, view);
  part.addEventListener("toggle", () => { tree().draw(); });
  for (const button of part.querySelectorAll("button[data-zoom]")) {
    button.addEventListener("click", () => {
      tree().zoom(button instanceof HTMLElement && button.dataset.zoom === "in" ? 1.25 : 0.8);
    });
  }
  for (const button of part.querySelectorAll("button[data-folds]")) {
    button.addEventListener("click", () => {
      tree().foldAll(button instanceof HTMLElement && button.dataset.folds === "all");
    });
  }
  const slider = part.querySelector("input[data-grows]");
  if (!(slider instanceof HTMLInputElement)) continue;
  slider.addEventListener("input", () => {
    tree().until = Number(slider.value);
    tree().draw();
    const told = part.querySelector("output");
    const letter = slider.dataset.grows?.[tree().until - 1] ?? "", words = EVENTS.get(letter.toLowerCase());
    const last = words ? `; the last: ${words}${letter === letter.toLowerCase() ? "" : ", tried once more"}` : "";
    if (told) told.textContent = slider.value === slider.max ? "all" : `the first ${slider.value} events${last}`;
  });
}

for (const field of document.querySelectorAll("input[data-goes]")) {
  field.addEventListener("change", () => {
    if (!(field instanceof HTMLInputElement) || !field.validity.valid || !field.value) return;
    const wanted = Number(field.value), begin = field.dataset.goes ?? "", told = field.closest("p")?.querySelector("output");
    const known = [...document.querySelectorAll(`[id^="${begin}"]:has(details)`)].map((line) => Number(line.id.slice(begin.length)));
    const nearest = document.querySelector(`#${begin}${wanted} .begins`)?.getAttribute("href")?.slice(1 + begin.length);
    const found = nearest ? Number(nearest) : known.sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0] ?? wanted;
    if (told) told.textContent = found === wanted ? "" : `line ${wanted} ${nearest ? "belongs to the statement of" : "has no code of its own: this is the nearest,"} line ${found}`;
    location.hash = `${begin}${found}`;
  });
}

/** A click on a line opens what is known of it, or closes it again; not one that selects text. */
for (const source of document.querySelectorAll(".source")) {
  source.addEventListener("click", (event) => {
    const place = event.target instanceof Element ? event.target : null;
    const part = place?.closest("details, a") ? null : place?.closest(".line")?.querySelector("details");
    if (part && String(getSelection()) === "") part.open = !part.open;
  });
}

for (const button of document.querySelectorAll("button[data-unfolds]")) {
  button.addEventListener("click", () => {
    const rest = button.nextElementSibling;
    if (rest instanceof HTMLElement) rest.hidden = false;
    button.remove();
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
