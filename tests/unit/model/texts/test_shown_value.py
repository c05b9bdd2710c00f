from fairlead.model.texts.shown_value import shown_value


def test_text_stays_and_the_rest_is_json() -> None:
    assert shown_value("a 'b'") == "a 'b'"
    assert shown_value([{"a": None}, True]) == '[{"a": null}, true]'
    assert shown_value({1, 2}.__class__) == "\"<class 'set'>\""
