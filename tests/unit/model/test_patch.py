import pytest

from fairlead.model.patch import PatchedFile, files_of

ENVELOPE = """*** Begin Patch
*** Add File: src/new.py
+print("hi")
+# *** Delete File: not/this
*** Update File: old name.txt
*** Move to: new name.txt
@@
-a
+b
*** Delete File: /etc/passwd
*** End Patch
"""

UNIFIED = """diff --git a/x.py b/x.py
--- a/x.py\t2026-01-01
+++ b/x.py
@@ -1,2 +1,2 @@
-a
+b
diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-a
diff --git a/from b/to
rename from from
rename to to
--- /dev/null
+++ b/made
@@ -0,0 +1 @@
+new
"""


def test_an_enveloped_patch_names_what_it_adds_changes_moves_and_deletes() -> None:
    assert files_of(ENVELOPE) == (
        PatchedFile("src/new.py", "write", 'print("hi")\n# *** Delete File: not/this'),
        PatchedFile("old name.txt", "delete", ""),
        PatchedFile("new name.txt", "write", "b"),
        PatchedFile("/etc/passwd", "delete", ""),
    )


def test_a_unified_diff_names_what_it_changes_deletes_renames_and_makes() -> None:
    assert [(file.path, file.operation) for file in files_of(UNIFIED)] == [
        ("x.py", "write"),
        ("gone", "delete"),
        ("from", "delete"),
        ("to", "write"),
        ("made", "write"),
    ]


@pytest.mark.parametrize("head", ["  *** Delete File:  x  ", "*** Delete File:x", "\t*** Delete File: x"])
def test_headers_are_read_as_leniently_as_the_tools_that_apply_them(head: str) -> None:
    assert files_of(f"*** Begin Patch\n{head}\n*** End Patch") == (PatchedFile("x", "delete"),)


def test_a_patch_inside_a_shell_heredoc_is_still_read() -> None:
    text = "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\nEOF"
    assert files_of(text) == (PatchedFile("a", "write", "x"),)


def test_text_that_is_no_patch_touches_nothing() -> None:
    assert files_of("hello\n-- world\n") == ()


def test_a_unified_diff_says_what_it_adds_to_each_file() -> None:
    assert {file.path: file.added for file in files_of(UNIFIED) if file.added} == {"x.py": "b", "made": "new"}


def test_a_copied_file_stays_and_its_copy_is_written() -> None:
    copied = "diff --git a/from b/to\ncopy from from\ncopy to to\n"
    assert files_of(copied) == (PatchedFile("to", "write"),)


def test_words_inside_a_hunk_name_no_files() -> None:
    hunk = (
        '--- "a/x"\n+++ "b/x"\n@@ -1,3 +1,3 @@\n--- y\n rename from z\nrename to q\ncopy from r\n+++ more\n'
    )
    assert files_of(hunk) == (PatchedFile("x", "write", "++ more"),)


def test_a_second_header_ends_the_first_file() -> None:
    two = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n+1\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n+2\n"
    assert files_of(two) == (PatchedFile("x", "write", "1"), PatchedFile("y", "write", "2"))


def test_a_path_outside_of_a_repository_is_taken_as_it_is() -> None:
    assert files_of("--- /etc/x\n+++ /etc/x\n@@ -1 +1 @@\n+1\n") == (PatchedFile("/etc/x", "write", "1"),)
