"""The files of a campaign, by their bytes.

A bundle holds every file that counts under the SHA-256 of its content. URDFs and scenes are kept with each file that they
name replaced by that file's name in the bundle. So a document's hash covers its meshes, and workers, who see the bundle
alone, cannot read anything that was not hashed.
"""

import hashlib
import html
import math
import pathlib
import re
import xml.etree.ElementTree

import yaml

from .. import InputError

_MESH = re.compile(r"""(<mesh\b[^>]*?\bfilename\s*=\s*)(["'])(.*?)\2""", re.DOTALL)
_NAMES = {"name", "link"}  # keys of a scene whose values are names, even where a file has the same one
_NOT_FOUND = "not-found-"


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


class Loader(yaml.SafeLoader):
    """Numbers such as 1e-4 are numbers, and a key stands once."""

    def construct_mapping(self, node, deep=False):
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        for key in keys:
            if keys.count(key) > 1:
                raise yaml.YAMLError(f"line {node.start_mark.line + 1}: '{key}' stands there twice")
        return super().construct_mapping(node, deep)


Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)[eE][-+]?[0-9]+$"), list("-+.0123456789")
)


class Bundle:
    """`files`: name to content. `places`: name to path, for what is too large to be sent around."""

    def __init__(self, files=None, places=None):
        self.files = dict(files or {})
        self.places = dict(places or {})
        self.sources = {}  # name to the path it was read from: for people

    @property
    def digest(self):
        return sha256("\n".join(sorted(self.files) + sorted(self.places)).encode())

    def keep(self, data, suffix, source):
        name = sha256(data) + suffix
        self.files[name] = data
        self.sources[name] = str(source)
        return name

    def add(self, path):
        path = pathlib.Path(path)
        return self.keep(_read(path), path.suffix.lower(), path)

    def add_urdf(self, path, packages):
        path = pathlib.Path(path)
        text = _text(path)

        def replaced(match):
            name = self._reference(html.unescape(match[3]), path, packages)
            return f"{match[1]}{match[2]}{html.escape(name)}{match[2]}"

        text = _MESH.sub(replaced, text)
        try:
            elements = list(xml.etree.ElementTree.fromstring(text.encode()).iter())
        except xml.etree.ElementTree.ParseError as error:
            raise InputError(f"{path}: {error}") from None
        for element in elements:
            file = element.get("filename")
            if element.tag.split("}")[-1] == "mesh" and file is not None and not self._is_own(file):
                raise InputError(f"{path}: the mesh '{file}' was not recognised; write <mesh filename=\"...\"/>")
        return self.keep(text.encode(), ".urdf", path)

    def add_scene(self, path, packages):
        path = pathlib.Path(path)
        try:
            root = yaml.compose(_text(path), Loader=yaml.SafeLoader)
        except yaml.YAMLError as error:
            raise InputError(f"{path}: {error}") from None
        self._replace(root, path, packages, set())
        return self.keep(yaml.serialize(root, Dumper=yaml.SafeDumper).encode(), ".yaml", path)

    def unpack(self, folder):
        """Writes every file, once it has been seen to be what its name says."""
        for name, data in self.files.items():
            if sha256(data) != name.split(".")[0]:
                raise InputError(f"{name}: the content is not that of its name")
            (pathlib.Path(folder) / name).write_bytes(data)

    def explain(self, message):
        """A message about files of a bundle, in the names that people gave them."""
        message = re.sub(r"[^\s'\"]*/(?=[0-9a-f]{64}\.)", "", message)
        for name, source in self.sources.items():
            message = message.replace(name, source)
        return message

    def _is_own(self, name):
        return name in self.files or name.startswith(_NOT_FOUND)

    def _reference(self, uri, document, packages):
        path = resolve(uri, document, packages)
        if path is None:  # a visual mesh perhaps, which nobody needs; the loader complains if it does
            return _NOT_FOUND + re.sub(r"[^\w.-]", "_", uri)
        return self.add(path)

    def _replace(self, node, document, packages, seen):
        if node is None or id(node) in seen:
            return
        seen.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            for entry in node.value:
                self._replace(entry, document, packages, seen)
        if not isinstance(node, yaml.MappingNode):
            return
        for key, value in node.value:
            if isinstance(value, yaml.ScalarNode) and key.value not in _NAMES:
                path = resolve(value.value, document, packages) if value.value else None
                if path is not None:
                    value.value = self.add(path)
                    value.tag = "tag:yaml.org,2002:str"
                elif "/" in value.value or key.value == "mesh":
                    line = value.start_mark.line + 1
                    raise InputError(f"{document}:{line}: {value.value}: there is no such file")
            self._replace(value, document, packages, seen)


def resolve(uri, document, packages):
    """The file that a document names, or None. package:// is sought in `packages`, then upwards from the document."""
    document = pathlib.Path(document)
    folders = [document.absolute().parent, document.resolve().parent]
    for scheme in ("package://", "model://"):
        if uri.startswith(scheme):
            name, _, rest = uri[len(scheme) :].partition("/")
            if name in packages:
                return _file(pathlib.Path(packages[name]) / rest)
            for above in (a for folder in folders for a in (folder, *folder.parents)):
                found = _file(above / name / rest) or (_file(above / rest) if above.name == name else None)
                if found:
                    return found
            return None
    if uri.startswith("file:"):
        uri = re.sub(r"^file:(//localhost(?=/)|//)?", "", uri)
    return _file(folders[0] / uri) or _file(folders[1] / uri)


def _file(path):
    try:
        return path if path.is_file() else None
    except (OSError, ValueError):
        return None


def _read(path):
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None


def _text(path):
    try:
        return _read(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not UTF-8 text") from None
