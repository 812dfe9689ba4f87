//! The safetensors format: eight bytes of header length, a JSON header, then the numbers.
//!
//! Written here, since burn's reader may abort the process on bad input and ties a file to burn's
//! names. Format: <https://huggingface.co/docs/safetensors>. Only little-endian `F32` tensors that
//! fill the data section without gap or overlap are taken.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::{NamedTensor, NetworkError};

/// The longest header read, in bytes; a network's is a few thousand.
const MAX_HEADER: usize = 1 << 24;

/// What a safetensors file holds.
#[derive(Debug)]
pub(crate) struct File {
    /// The tensors in the order of their data.
    pub(crate) tensors: Vec<NamedTensor>,
    metadata: Map<String, Value>,
}

impl File {
    /// Checks that the file says it is of a format.
    pub(crate) fn expect_format(&self, wanted: &str) -> Result<(), NetworkError> {
        let found = self.metadata.get("format").and_then(Value::as_str).unwrap_or("none");
        if found == wanted {
            return Ok(());
        }
        Err(malformed(format!("its format is {found}, and this program reads {wanted}")))
    }

    /// Reads the metadata entry `key`, itself a piece of JSON.
    pub(crate) fn entry<T: DeserializeOwned>(&self, key: &'static str) -> Result<T, NetworkError> {
        let metadata = |reason: String| NetworkError::Metadata { key, reason };
        let text = self.metadata.get(key).and_then(Value::as_str).ok_or_else(|| metadata("no such text".to_owned()))?;
        serde_json::from_str(text).map_err(|error| metadata(error.to_string()))
    }
}

/// Writes tensors and metadata; the same input always gives the same bytes.
pub(crate) fn encode(metadata: &[(&'static str, String)], tensors: &[NamedTensor]) -> Vec<u8> {
    let mut header = Map::new();
    let entries: Map<String, Value> =
        metadata.iter().map(|(key, text)| ((*key).to_owned(), Value::from(text.as_str()))).collect();
    header.insert("__metadata__".to_owned(), Value::Object(entries));
    let mut end = 0;
    for tensor in tensors {
        let begin = end;
        end += 4 * tensor.values.len();
        let entry = json!({"dtype": "F32", "shape": tensor.dims, "data_offsets": [begin, end]});
        header.insert(tensor.name.clone(), entry);
    }
    let mut text = Value::Object(header).to_string().into_bytes();
    text.resize(text.len().next_multiple_of(8), b' ');

    let mut bytes = Vec::with_capacity(8 + text.len() + end);
    bytes.extend((text.len() as u64).to_le_bytes());
    bytes.extend(text);
    for tensor in tensors {
        bytes.extend(tensor.values.iter().flat_map(|value| value.to_le_bytes()));
    }
    bytes
}

/// Reads what [`encode`] wrote.
///
/// # Errors
/// [`NetworkError::Malformed`] on anything else, cut short at any byte included.
pub(crate) fn decode(bytes: &[u8]) -> Result<File, NetworkError> {
    let (length, rest) =
        bytes.split_first_chunk::<8>().ok_or_else(|| malformed("it ends inside the header's length"))?;
    let length = usize::try_from(u64::from_le_bytes(*length))
        .ok()
        .filter(|length| *length <= MAX_HEADER)
        .ok_or_else(|| malformed("its header is too long"))?;
    let (header, data) = rest.split_at_checked(length).ok_or_else(|| malformed("it ends inside the header"))?;
    let mut header: Map<String, Value> =
        serde_json::from_slice(header).map_err(|error| malformed(format!("header: {error}")))?;
    let metadata = match header.shift_remove("__metadata__") {
        None => Map::new(),
        Some(Value::Object(metadata)) => metadata,
        Some(_) => return Err(malformed("__metadata__ is not a table")),
    };
    let mut spans = header.iter().map(|(name, entry)| span(name, entry)).collect::<Result<Vec<_>, _>>()?;
    spans.sort_by_key(|span| (span.begin, span.end));

    let mut tensors = Vec::with_capacity(spans.len());
    let mut next = 0;
    for Span { name, dims, begin, end } in spans {
        let part = data.get(begin..end).ok_or_else(|| malformed(format!("it ends inside tensor \"{name}\"")))?;
        if begin != next {
            return Err(malformed(format!("tensor \"{name}\" leaves a gap or overlaps")));
        }
        next = end;
        let (values, _) = part.as_chunks::<4>();
        tensors.push(NamedTensor { name, dims, values: values.iter().map(|raw| f32::from_le_bytes(*raw)).collect() });
    }
    if next != data.len() {
        return Err(malformed("it goes on after the last tensor"));
    }
    Ok(File { tensors, metadata })
}

struct Span {
    name: String,
    dims: Vec<usize>,
    begin: usize,
    end: usize,
}

/// Reads one header entry, and checks that its shape and its place agree.
fn span(name: &str, entry: &Value) -> Result<Span, NetworkError> {
    let wrong = |what: &str| malformed(format!("tensor \"{name}\": {what}"));
    if entry["dtype"] != "F32" {
        return Err(wrong("its dtype is not F32"));
    }
    let dims = sizes(&entry["shape"]).ok_or_else(|| wrong("its shape is not a list of sizes"))?;
    let offsets = sizes(&entry["data_offsets"]);
    let Some([begin, end]) = offsets.as_deref() else {
        return Err(wrong("its data_offsets are not two sizes"));
    };
    let length = dims
        .iter()
        .try_fold(4_usize, |length, dim| length.checked_mul(*dim))
        .and_then(|length| begin.checked_add(length));
    if length != Some(*end) {
        return Err(wrong("its data_offsets do not fit its shape"));
    }
    Ok(Span { name: name.to_owned(), dims, begin: *begin, end: *end })
}

fn sizes(list: &Value) -> Option<Vec<usize>> {
    list.as_array()?.iter().map(|size| size.as_u64().and_then(|size| usize::try_from(size).ok())).collect()
}

fn malformed(reason: impl Into<String>) -> NetworkError {
    NetworkError::Malformed { reason: reason.into() }
}
