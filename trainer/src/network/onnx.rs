//! The network as an ONNX model, for onnxruntime and whatever else reads that.
//!
//! Opset 17, `f32`. Input `observation` `[N, C * H * W]`, outputs `policy` `[N, A]` (logits) and `wdl`
//! `[N, 3]` (probabilities of win, draw and loss, seen by the player who decides), and `turns_left` `[N, 1]`
//! where the network tells it. The metadata holds the
//! network's settings and shape as JSON, as in a safetensors file. Format:
//! <https://github.com/onnx/onnx/blob/main/onnx/onnx.proto>.

mod message;

use message::{Attribute, Message};

use super::layers::{POLICY_BIAS, POLICY_WEIGHT};
use super::{MOST_LOG_TURNS, NamedTensor, Network, NetworkConfig};

/// The version of the operators used.
pub const OPSET: i64 = 17;
/// The version of the file format that came with it.
const IR_VERSION: i64 = 8;

impl Network {
    /// Writes the network as an ONNX model.
    #[must_use]
    pub fn to_onnx(&self) -> Vec<u8> {
        let mut graph = Graph::default();
        for tensor in self.weights.tensors() {
            graph.initialiser(tensor);
        }
        match self.config {
            NetworkConfig::Mlp { hidden, blocks, products, .. } => graph.mlp(products.then_some(hidden), blocks),
            NetworkConfig::Tower { blocks, .. } => {
                graph.tower(blocks, [self.shape.planes, self.shape.size, self.shape.size]);
            }
        }
        if self.config.turns_left() {
            graph.turns_head();
        }
        let mut graph = graph
            .message
            .text(2, "damma")
            .message(11, &value("observation", self.shape.inputs()))
            .message(12, &value("policy", self.shape.actions))
            .message(12, &value("wdl", 3));
        if self.config.turns_left() {
            graph = graph.message(12, &value("turns_left", 1));
        }
        let mut model = Message::default()
            .number(1, IR_VERSION)
            .text(2, "damma")
            .text(3, env!("CARGO_PKG_VERSION"))
            .message(7, &graph)
            .message(8, &Message::default().text(1, "").number(2, OPSET));
        for (key, text) in self.metadata() {
            model = model.message(14, &Message::default().text(1, key).text(2, &text));
        }
        model.into_bytes()
    }
}

/// A graph in the making: nodes come in the order in which they are computed.
#[derive(Default)]
struct Graph {
    message: Message,
}

impl Graph {
    fn initialiser(&mut self, tensor: &NamedTensor) {
        let dims = tensor.dims.iter().map(|&dim| dim as i64);
        let bytes: Vec<u8> = tensor.values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.add(5, &Message::default().numbers(1, dims).number(2, 1).text(8, &tensor.name).bytes(9, &bytes));
    }

    /// Adds a constant shape for a reshape.
    fn shape(&mut self, name: &str, dims: &[i64]) {
        let bytes: Vec<u8> = dims.iter().flat_map(|dim| dim.to_le_bytes()).collect();
        let length = [dims.len() as i64];
        self.add(5, &Message::default().numbers(1, length.into_iter()).number(2, 7).text(8, name).bytes(9, &bytes));
    }

    /// Adds a constant number.
    fn scalar(&mut self, name: &str, value: f32) {
        self.add(5, &Message::default().number(2, 1).text(8, name).bytes(9, &value.to_le_bytes()));
    }

    fn node(&mut self, operator: &str, inputs: &[&str], output: &str, attributes: &[Attribute<'_>]) {
        let mut node = Message::default();
        for input in inputs {
            node = node.text(1, input);
        }
        node = node.text(2, output).text(3, output).text(4, operator);
        for attribute in attributes {
            node = node.message(5, &attribute.message());
        }
        self.add(1, &node);
    }

    fn add(&mut self, field: u32, message: &Message) {
        self.message = std::mem::take(&mut self.message).message(field, message);
    }

    fn linear(&mut self, layer: &str, input: &str, output: &str) {
        self.node("Gemm", &[input, &format!("{layer}.weight"), &format!("{layer}.bias")], output, &[]);
    }

    fn policy(&mut self, features: &str) {
        let turned = [Attribute::Number("transB", 1)];
        self.node("Gemm", &[features, POLICY_WEIGHT, POLICY_BIAS], "policy", &turned);
    }

    fn convolution(&mut self, layer: &str, kernel: i64, input: &str, output: &str) {
        let around = kernel / 2;
        let attributes =
            [Attribute::Numbers("kernel_shape", &[kernel, kernel]), Attribute::Numbers("pads", &[around; 4])];
        self.node("Conv", &[input, &format!("{layer}.weight"), &format!("{layer}.bias")], output, &attributes);
    }

    /// Adds residual blocks of two layers and gives the name of what comes out.
    fn blocks(&mut self, count: usize, layer: impl Fn(&mut Self, &str, &str, &str)) -> String {
        let mut trunk = "trunk".to_owned();
        for block in 0..count {
            let name = |part: &str| format!("blocks.{block}.{part}");
            layer(self, &name("first"), &trunk, &name("inner"));
            self.node("Relu", &[&name("inner")], &name("rectified"), &[]);
            layer(self, &name("second"), &name("rectified"), &name("outer"));
            self.node("Add", &[&trunk, &name("outer")], &name("sum"), &[]);
            self.node("Relu", &[&name("sum")], &name("out"), &[]);
            trunk = name("out");
        }
        trunk
    }

    /// Adds the value head behind its hidden layer's input.
    fn value_head(&mut self, input: &str) {
        self.linear("value", input, "value.inner");
        self.node("Relu", &["value.inner"], "value.rectified", &[]);
        self.linear("outcome", "value.rectified", "outcome.logits");
        self.node("Softmax", &["outcome.logits"], "wdl", &[Attribute::Number("axis", 1)]);
    }

    /// Adds the turns left, made of the value head's hidden layer.
    fn turns_head(&mut self) {
        for (name, value) in [("turns.least", 0.0), ("turns.most", MOST_LOG_TURNS), ("turns.one", 1.0)] {
            self.scalar(name, value);
        }
        self.linear("turns", "value.rectified", "turns.log");
        self.node("Clip", &["turns.log", "turns.least", "turns.most"], "turns.clipped", &[]);
        self.node("Exp", &["turns.clipped"], "turns.more", &[]);
        self.node("Sub", &["turns.more", "turns.one"], "turns_left", &[]);
    }

    /// Adds a perceptron; where the first layer's numbers are multiplied in pairs, `pairs` of them.
    fn mlp(&mut self, pairs: Option<usize>, blocks: usize) {
        self.linear("input", "observation", "input.sum");
        match pairs {
            None => self.node("Relu", &["input.sum"], "trunk", &[]),
            Some(pairs) => {
                self.scalar("zero", 0.0);
                self.scalar("one", 1.0);
                self.shape("halves", &[-1, 2, pairs as i64]);
                self.node("Clip", &["input.sum", "zero", "one"], "clipped", &[]);
                self.node("Reshape", &["clipped", "halves"], "factors", &[]);
                let across = [Attribute::Numbers("axes", &[1]), Attribute::Number("keepdims", 0)];
                self.node("ReduceProd", &["factors"], "trunk", &across);
            }
        }
        let trunk = self.blocks(blocks, Self::linear);
        self.policy(&trunk);
        self.value_head(&trunk);
    }

    fn tower(&mut self, blocks: usize, [planes, rows, columns]: [usize; 3]) {
        self.shape("board", &[-1, planes as i64, rows as i64, columns as i64]);
        self.node("Reshape", &["observation", "board"], "planes", &[]);
        self.convolution("stem", 3, "planes", "stem.sum");
        self.node("Relu", &["stem.sum"], "trunk", &[]);
        let trunk = self.blocks(blocks, |graph, layer, input, output| graph.convolution(layer, 3, input, output));
        self.convolution("summary", 1, &trunk, "summary.sum");
        self.node("Relu", &["summary.sum"], "summary.rectified", &[]);
        self.node("Flatten", &["summary.rectified"], "summary.flat", &[Attribute::Number("axis", 1)]);
        self.policy("summary.flat");
        self.node("GlobalAveragePool", &[&trunk], "mean", &[]);
        self.node("GlobalMaxPool", &[&trunk], "peak", &[]);
        self.node("Concat", &["mean", "peak"], "pooled", &[Attribute::Number("axis", 1)]);
        self.node("Flatten", &["pooled"], "pooled.flat", &[Attribute::Number("axis", 1)]);
        self.value_head("pooled.flat");
    }
}

/// Describes an input or output `[N, width]` of numbers.
fn value(name: &str, width: usize) -> Message {
    let batch = Message::default().text(2, "N");
    let width = Message::default().number(1, width as i64);
    let shape = Message::default().message(1, &batch).message(1, &width);
    let tensor = Message::default().number(1, 1).message(2, &shape);
    Message::default().text(1, name).message(2, &Message::default().message(1, &tensor))
}
