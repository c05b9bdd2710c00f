from fairlead.model.texts.metric import DATAGRAM, datagrams, dotted, word


def test_a_word_keeps_letters_digits_and_dashes_and_nothing_that_means_something() -> None:
    assert word("a-b_C9") == "a-b_C9"
    assert word("a.b:c|d#e\nf g") == "a_b_c_d_e_f_g"
    assert word("ä²") == "__"


def test_a_word_is_short_and_never_empty() -> None:
    assert word("x" * 65) == "x" * 64
    assert word("") == "none"


def test_a_prefix_has_no_empty_parts() -> None:
    assert dotted(".team a..fairlead.") == "team_a.fairlead"
    assert dotted("") == ""


def test_no_lines_make_no_datagram() -> None:
    assert list(datagrams([])) == []


def test_lines_share_a_datagram_as_long_as_they_fit() -> None:
    half = "x" * (DATAGRAM // 2 - 1)
    assert list(datagrams(["a:1|c", "b:2|c"])) == [b"a:1|c\nb:2|c"]
    assert [len(packet) for packet in datagrams([half, half, half])] == [2 * len(half) + 1, len(half)]
    assert max(len(packet) for packet in datagrams(["y" * size for size in range(1, 200)])) <= DATAGRAM


def test_a_line_that_fills_a_datagram_stands_alone() -> None:
    full = "x" * (DATAGRAM - 2)
    assert list(datagrams([full, "b", "c"])) == [f"{full}\nb".encode(), b"c"]
    assert list(datagrams(["x" * DATAGRAM, "b"])) == [b"x" * DATAGRAM, b"b"]
