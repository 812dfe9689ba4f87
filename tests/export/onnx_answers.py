"""Compares onnxruntime's answers with those that `damma export --samples` wrote."""

import json
import sys

import numpy as np
import onnx
import onnxruntime

model = onnx.load(sys.argv[1])
onnx.checker.check_model(model, full_check=True)
assert {entry.key for entry in model.metadata_props} >= {"network", "shape"}
with open(sys.argv[2]) as file:
    samples = json.load(file)
session = onnxruntime.InferenceSession(sys.argv[1], providers=["CPUExecutionProvider"])
observations = np.array([sample["observation"] for sample in samples], dtype=np.float32)
keys = [output.name for output in session.get_outputs()]
assert keys == [key for key in ["policy", "wdl", "turns_left"] if key in samples[0]], keys
answers = session.run(keys, {"observation": observations.reshape(len(samples), -1)})
for found, key in zip(answers, keys):
    wanted = np.array([sample[key] for sample in samples])
    if key == "turns_left":
        found, wanted = np.log1p(found), np.log1p(wanted)
    difference = float(np.abs(found - wanted).max())
    print(f"onnxruntime, {key}: largest difference {difference:.1e}")
    assert difference < 1e-4
