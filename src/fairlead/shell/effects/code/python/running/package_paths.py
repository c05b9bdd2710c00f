"""Where Python keeps its packages: whatever program starts next loads what lies there."""

from __future__ import annotations

import sys

from fairlead.shell.effects.code.python.running.thing import Thing, text
from fairlead.shell.word_sets import names

PACKAGES = "/usr/lib/python3/dist-packages"
"""Stands for the folder of packages, wherever that is."""
_FOLDERS = names(
    """
    site.getusersitepackages site.USER_SITE sysconfig.get_path distutils.sysconfig.get_python_lib
    sysconfig.get_python_lib site.getuserbase
    """
)
_LISTS = names("site.getsitepackages site.PREFIXES")
_OF_MODULE = names("inspect.getfile inspect.getsourcefile inspect.getabsfile importlib.util.find_spec")
_WELL_KNOWN = names(
    """
    requests flask django numpy pandas pip setuptools urllib3 certifi cryptography yaml jinja2 click rich
    httpx boto3 botocore sqlalchemy pytest pydantic fastapi starlette uvicorn gunicorn celery redis attr attrs
    idna charset_normalizer six wheel packaging tqdm scipy torch tensorflow transformers openai anthropic
    langchain matplotlib PIL bs4 lxml aiohttp paramiko fabric ansible virtualenv poetry typing_extensions
    dateutil pytz markupsafe werkzeug itsdangerous psutil psycopg2 pymongo kubernetes docker google grpc
    """
)


def _is_of_others(module: str) -> bool:
    """Whether it is a package that somebody else wrote; one's own lies in the project."""
    top = module.partition(".")[0]
    return top in _WELL_KNOWN or (top in sys.stdlib_module_names and top not in ("__main__", "this"))


def _file_of(module: str) -> Thing:
    return text(f"{PACKAGES}/{module.partition('.')[0]}/__init__.py")


def package_name(name: str, cwd: str) -> Thing | None:
    """What a name such as `requests.__file__` or `site.USER_SITE` stands for."""
    if name == "sys.path":
        return Thing(items=(text(cwd), text(PACKAGES)), name=name)
    if name in _FOLDERS and name.rpartition(".")[2].isupper():
        return text(PACKAGES)
    module, _, last = name.rpartition(".")
    if last in ("__file__", "__path__") and _is_of_others(module):
        return _file_of(module) if last == "__file__" else Thing(items=(text(f"{PACKAGES}/{module}"),))
    return None


def package_call(name: str, given: tuple[Thing, ...]) -> Thing | None:
    """What a call returns that asks where packages are."""
    if name in _FOLDERS:
        return text(PACKAGES)
    if name in _LISTS:
        return Thing(items=(text(PACKAGES),))
    if name == "sysconfig.get_paths":
        return Thing(fields=dict.fromkeys(("purelib", "platlib", "stdlib", "platstdlib"), text(PACKAGES)))
    if name in _OF_MODULE and given:
        module = given[0].texts[0] if given[0].texts else given[0].name
        if _is_of_others(module):
            found = _file_of(module)
            return Thing(fields={"origin": found}) if name.endswith("find_spec") else found
    return None
