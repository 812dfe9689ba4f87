"""Reads a network that Damma trained and answers as Damma does. Needs numpy alone.

    network = DammaNetwork("model.safetensors")
    policy, wdl = network(observations)        # [N, C * H * W] -> [N, A] logits, [N, 3] probabilities

A network with `turns_left` in its settings gives a third array, `[N, 1]`: the turns left until the game ends.

Observations are those of `damma_env::Encoder` (`Encoder::flat` for "mlp", `Encoder::new` for "tower"), seen by
the player who decides, and so is the value: probabilities of win, draw and loss. Mask the illegal actions
before a softmax over the policy.

As a command it checks a file against answers that `damma export --samples` wrote:

    python3 damma_network.py model.safetensors samples.json
"""

from __future__ import annotations

import json
import struct
import sys

import numpy as np


def read_safetensors(path: str) -> tuple[dict[str, str], dict[str, np.ndarray]]:
    """Reads the metadata and the tensors of a safetensors file."""
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        data = file.read()
    metadata = header.pop("__metadata__", {})
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        tensors[name] = np.frombuffer(data[begin:end], dtype="<f4").reshape(entry["shape"])
    return metadata, tensors


def relu(x: np.ndarray) -> np.ndarray:
    return np.maximum(x, 0.0)


def softmax(x: np.ndarray) -> np.ndarray:
    weights = np.exp(x - x.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


class DammaNetwork:
    """The network of a checkpoint's model.safetensors."""

    def __init__(self, path: str) -> None:
        metadata, self.tensors = read_safetensors(path)
        self.config = json.loads(metadata["network"])
        self.shape = json.loads(metadata["shape"])

    def linear(self, name: str, x: np.ndarray) -> np.ndarray:
        return x @ self.tensors[f"{name}.weight"] + self.tensors[f"{name}.bias"]

    def policy(self, features: np.ndarray) -> np.ndarray:
        return features @ self.tensors["policy.weight"].T + self.tensors["policy.bias"]

    def convolution(self, name: str, x: np.ndarray) -> np.ndarray:
        weight, bias = self.tensors[f"{name}.weight"], self.tensors[f"{name}.bias"]
        around = weight.shape[2] // 2
        padded = np.pad(x, ((0, 0), (0, 0), (around, around), (around, around)))
        windows = np.lib.stride_tricks.sliding_window_view(padded, weight.shape[2:], axis=(2, 3))
        return np.einsum("nchwij,ocij->nohw", windows, weight, optimize=True) + bias[:, None, None]

    def __call__(self, observations: np.ndarray) -> tuple[np.ndarray, ...]:
        x = np.asarray(observations, dtype=np.float32)
        blocks = range(self.config["blocks"])
        if self.config["kind"] == "mlp":
            layer = self.linear
            trunk = layer("input", x)
            if self.config.get("products", False):
                first, second = np.split(np.clip(trunk, 0.0, 1.0), 2, axis=1)
                trunk = first * second
            else:
                trunk = relu(trunk)
        else:
            layer = self.convolution
            size = self.shape["size"]
            trunk = relu(layer("stem", x.reshape(len(x), self.shape["planes"], size, size)))
        for block in blocks:
            inner = relu(layer(f"blocks.{block}.first", trunk))
            trunk = relu(trunk + layer(f"blocks.{block}.second", inner))
        if self.config["kind"] == "mlp":
            policy, value = self.policy(trunk), trunk
        else:
            summary = relu(self.convolution("summary", trunk))
            policy = self.policy(summary.reshape(len(x), -1))
            value = np.concatenate([trunk.mean(axis=(2, 3)), trunk.max(axis=(2, 3))], axis=1)
        hidden = relu(self.linear("value", value))
        answers = policy, softmax(self.linear("outcome", hidden))
        if self.config.get("turns_left", False):
            answers += (np.expm1(np.clip(self.linear("turns", hidden), 0.0, 16.0)),)
        return answers


def check(network: DammaNetwork, samples: list[dict]) -> float:
    """Gives the largest difference from recorded answers; turns are compared by their logarithms."""
    answers = network(np.array([sample["observation"] for sample in samples]))
    differences = []
    for found, key in zip(answers, ["policy", "wdl", "turns_left"]):
        wanted = np.array([sample[key] for sample in samples])
        if key == "turns_left":
            found, wanted = np.log1p(found), np.log1p(wanted)
        differences.append(float(np.abs(found - wanted).max()))
    return max(differences)


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__)
        return 2
    with open(sys.argv[2]) as file:
        samples = json.load(file)
    difference = check(DammaNetwork(sys.argv[1]), samples)
    print(f"{len(samples)} positions, largest difference {difference:.1e}")
    return 0 if difference < 1e-4 else 1


if __name__ == "__main__":
    sys.exit(main())
