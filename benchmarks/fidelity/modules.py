"""Which standard-library modules are twinned, and which of CPython's tests say how they behave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Subject:
    """One row of the table.

    Attributes:
        name: the module as a person names it.
        tests: its tests, below the package `test`; those an interpreter lacks are left out.
        twins: modules that are twinned, with their submodules; among them the Python side of an accelerator.
    """

    name: str
    tests: tuple[str, ...]
    twins: tuple[str, ...]


def _subject(name: str, tests: str = "", twins: str = "") -> Subject:
    named = tests.split() or [f"test_{name.replace('.', '_')}"]
    return Subject(name, tuple(f"test.{test}" for test in named), (name, *twins.split()))


_SUBJECTS: Final = (
    _subject("abc", twins="_py_abc"),
    _subject("argparse"),
    _subject("ast", "test_ast test_unparse"),
    _subject("base64"),
    _subject("bisect"),
    _subject("calendar"),
    _subject(
        "collections",
        "test_collections test_ordered_dict test_defaultdict test_deque "
        "test_userdict test_userlist test_userstring",
        "_collections_abc",
    ),
    _subject("colorsys"),
    _subject("configparser"),
    _subject("contextlib", "test_contextlib test_contextlib_async"),
    _subject("copy"),
    _subject("csv"),
    _subject("dataclasses"),
    _subject("datetime", twins="_pydatetime"),
    _subject("decimal", twins="_pydecimal"),
    _subject("difflib"),
    _subject("email"),
    _subject("enum"),
    _subject("fnmatch"),
    _subject("fractions"),
    _subject("functools"),
    _subject("glob"),
    _subject("graphlib"),
    _subject("heapq"),
    _subject("html.parser", "test_htmlparser test_html", "html _markupbase"),
    _subject("http.cookies"),
    _subject("inspect"),
    _subject("ipaddress"),
    _subject("json"),
    _subject("posixpath", "test_posixpath test_genericpath", "genericpath"),
    _subject("pprint"),
    _subject("quopri"),
    _subject("random"),
    _subject("shlex"),
    _subject("statistics"),
    _subject("string"),
    _subject("tarfile"),
    _subject("textwrap"),
    _subject("tokenize"),
    _subject("tomllib"),
    _subject("types"),
    _subject("typing"),
    _subject("urllib.parse", "test_urlparse"),
    _subject("weakref", "test_weakref test_weakset", "_weakrefset"),
    _subject("zipfile"),
)

SUBJECTS: Final[dict[str, Subject]] = {subject.name: subject for subject in _SUBJECTS}

LANGUAGE: Final = tuple(
    f"test.{name}"
    for name in """
    test_asyncgen test_augassign test_baseexception test_binop test_bool test_builtin test_bytes test_call
    test_class test_code test_compare test_complex test_contains test_context test_coroutines test_decorators
    test_descr test_descrtut test_dict test_dictcomps test_dictviews test_dynamicclassattribute test_enumerate
    test_except_star test_exception_group test_exception_hierarchy test_exception_variations test_exceptions
    test_extcall test_file test_float test_format test_frame test_fstring test_funcattrs test_generator_stop
    test_generators test_genericalias test_genericclass test_genexps test_global test_grammar test_hash
    test_index
    test_int test_isinstance test_iter test_iterlen test_itertools test_keywordonlyarg test_list
    test_listcomps
    test_long test_math test_memoryview test_metaclass test_named_expressions test_numeric_tower test_opcodes
    test_operator test_patma test_pep646_syntax test_positional_only_arg test_pow test_print test_property
    test_raise test_range test_re test_richcmp test_scope test_set test_setcomps test_slice test_sort test_str
    test_string_literals test_struct test_structseq test_subclassinit test_super test_syntax
    test_sys_setprofile test_sys_settrace test_thread test_traceback test_tuple test_type_aliases
    test_type_annotations test_type_params test_typechecks test_unary test_unicode test_unpack test_unpack_ex
    test_warnings test_with test_yield_from
    """.split()
)
"""Tests of the language and its builtins: here the tests are twins themselves."""

_SHARED: Final = ("list_tests", "seq_tests", "string_tests", "mapping_tests")
"""What those of the language share among them."""


def subject_of(name: str) -> Subject:
    """The row of a module, or of a test module that is to be a twin itself.

    Raises:
        KeyError: there is no such row.
    """
    if name.startswith("test."):
        return Subject(name, (name,), (name, *(f"test.{shared}" for shared in _SHARED)))
    return SUBJECTS[name]
