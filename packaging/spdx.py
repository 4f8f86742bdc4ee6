"""A bill of materials in SPDX 2.3 (https://spdx.github.io/spdx-spec/v2.3/): what a package consists of.

packaging/linux/contents.py and packaging/windows/bill.py fill one in; the same content gives the same
bytes.
"""
import hashlib
import json
import re
import time
import uuid

UNKNOWN = "NOASSERTION"
CUDA_EULA = {"licenseId": "LicenseRef-NVIDIA-CUDA-EULA", "name": "NVIDIA CUDA Toolkit EULA",
             "extractedText": "See https://docs.nvidia.com/cuda/eula/"}


def spdx_id(kind, name):
    return f"SPDXRef-{kind}-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


class Bill:
    """`folder` is what is packed, `seconds` the time of the commit."""

    def __init__(self, name, folder, version, seconds):
        self.name, self.folder, self.seconds = name, folder, int(seconds)
        self.packages, self.files, self.relations, self.licences = [], [], [], []
        self.product = self.package("Mantissa", version, "Apache-2.0")
        self.relate("SPDXRef-DOCUMENT", "DESCRIBES", self.product)

    def package(self, name, version, licence=UNKNOWN, **more):
        """Adds one; `more` are further fields of the standard. Returns its id."""
        self.packages.append({"SPDXID": spdx_id("Package", name), "name": name,
                              "versionInfo": version, "downloadLocation": UNKNOWN,
                              "filesAnalyzed": False, "licenseConcluded": UNKNOWN,
                              "licenseDeclared": licence, "copyrightText": UNKNOWN, **more})
        return self.packages[-1]["SPDXID"]

    def licence(self, name, text):
        """The id of terms that the standard's list lacks; their text is kept once."""
        made = "LicenseRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)
        if all(known["licenseId"] != made for known in self.licences):
            self.licences.append({"licenseId": made, "name": name, "extractedText": text})
        return made

    def file(self, path, package):
        """A file of the folder and what it comes from. The standard asks for its SHA-1 as well."""
        content = (self.folder / path).read_bytes()
        sums = [(kind, hashlib.new(kind, content).hexdigest()) for kind in ("sha1", "sha256")]
        self.files.append({"SPDXID": spdx_id("File", path), "fileName": f"./{path}",
                           "checksums": [{"algorithm": kind.upper(), "checksumValue": value}
                                         for kind, value in sums],
                           "licenseConcluded": UNKNOWN, "copyrightText": UNKNOWN})
        self.relate(self.files[-1]["SPDXID"], "GENERATED_FROM", package)

    def relate(self, a, kind, b):
        self.relations.append({"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b})

    def write(self, file):
        content = {"packages": self.packages, "files": self.files, "relationships": self.relations,
                   "hasExtractedLicensingInfos": self.licences}
        text = json.dumps(content, sort_keys=True)
        document = {
            "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
            "name": self.name,
            "documentNamespace": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, text)}",
            "creationInfo": {"creators": ["Tool: Mantissa packaging/spdx.py"],
                             "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.seconds))},
            **content}
        file.write_text(json.dumps(document, indent=1, sort_keys=True) + "\n")
