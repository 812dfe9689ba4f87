//! One file: the table of one class.
//!
//! 48 bytes of header, all numbers little-endian, then the table compressed by Zstandard:
//!
//! | bytes | meaning |
//! |---|---|
//! | 0-7 | `damma-eg` |
//! | 8-11 | version of this format |
//! | 12-15 | CRC-32 of the rules as TOML, without what no table depends on |
//! | 16-19 | the class: own men, own kings, enemy men, enemy kings |
//! | 20-23 | CRC-32 of the table |
//! | 24-31 | positions, that is bytes of the table |
//! | 32-39 | bytes of the compressed table |
//! | 40-43 | CRC-32 of the compressed table |
//! | 44-47 | CRC-32 of the header before this |

use damma_env::Class;

/// The version of the format that this program reads and writes.
pub(super) const FORMAT: u32 = 1;

const MAGIC: &[u8; 8] = b"damma-eg";
const HEADER: usize = 48;
/// Fast and nearly as small as the highest levels.
const LEVEL: i32 = 6;

/// Writes a table with its header; gives it with the checksum of the table.
pub(super) fn encode(rules: u32, class: Class, table: &[u8]) -> std::io::Result<(Vec<u8>, u32)> {
    let payload = zstd::bulk::compress(table, LEVEL)?;
    let checksum = crc32fast::hash(table);
    let mut bytes = Vec::with_capacity(HEADER + payload.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&FORMAT.to_le_bytes());
    bytes.extend_from_slice(&rules.to_le_bytes());
    bytes.extend_from_slice(&[class.own_men, class.own_kings, class.enemy_men, class.enemy_kings]);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes.extend_from_slice(&(table.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&(payload.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&crc32fast::hash(&payload).to_le_bytes());
    bytes.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
    bytes.extend_from_slice(&payload);
    Ok((bytes, checksum))
}

/// Reads the table of a class of so many positions; gives it with its checksum.
///
/// # Errors
/// What is wrong with the file.
pub(super) fn decode(bytes: &[u8], rules: u32, class: Class, positions: u64) -> Result<(Vec<u8>, u32), String> {
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    let long = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
    let refuse = |reason: &str| Err(reason.to_owned());
    if bytes.len() < HEADER {
        return Err(format!("it has {} bytes, fewer than a header", bytes.len()));
    }
    if &bytes[..8] != MAGIC {
        return refuse("it does not begin as a table does");
    }
    if number(8) != FORMAT {
        return Err(format!("it is of format {}, and this program reads format {FORMAT}", number(8)));
    }
    if number(44) != crc32fast::hash(&bytes[..44]) {
        return refuse("its header is damaged");
    }
    if number(12) != rules {
        return refuse("it is of other rules than its folder");
    }
    let [own_men, own_kings, enemy_men, enemy_kings] = [16, 17, 18, 19].map(|at| bytes[at]);
    let found = Class { own_men, own_kings, enemy_men, enemy_kings };
    if found != class {
        return Err(format!("it holds class {found} and not {class}"));
    }
    if long(24) != positions {
        return Err(format!("it has {} positions where the class has {positions}", long(24)));
    }
    let payload = &bytes[HEADER..];
    if payload.len() as u64 != long(32) {
        return Err(format!("it is cut off or too long: {} bytes of {} after the header", payload.len(), long(32)));
    }
    if crc32fast::hash(payload) != number(40) {
        return refuse("its content is damaged");
    }
    let table = zstd::bulk::decompress(payload, positions as usize).map_err(|error| error.to_string())?;
    if table.len() as u64 != positions || crc32fast::hash(&table) != number(20) {
        return refuse("its table is not the one that was written");
    }
    Ok((table, number(20)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLASS: Class = Class { own_men: 1, own_kings: 0, enemy_men: 0, enemy_kings: 2 };

    fn file() -> Vec<u8> {
        encode(7, CLASS, &[0, 1, 2, 3, 0, 0, 0, 0]).expect("written").0
    }

    #[test]
    fn a_table_is_read_back() {
        let (table, checksum) = decode(&file(), 7, CLASS, 8).expect("sound");
        assert_eq!(table, [0, 1, 2, 3, 0, 0, 0, 0]);
        assert_eq!(checksum, crc32fast::hash(&table));
    }

    #[test]
    fn every_changed_bit_and_every_cut_is_noticed() {
        let whole = file();
        for bit in 0..whole.len() * 8 {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(decode(&bytes, 7, CLASS, 8).is_err(), "bit {bit}");
        }
        for length in 0..whole.len() {
            assert!(decode(&whole[..length], 7, CLASS, 8).is_err(), "{length} bytes");
        }
    }

    #[test]
    fn foreign_tables_are_refused() {
        assert!(decode(&file(), 8, CLASS, 8).expect_err("other rules").contains("other rules"));
        assert!(decode(&file(), 7, CLASS.mirror(), 8).expect_err("other class").contains("0m2k-1m0k"));
        assert!(decode(&file(), 7, CLASS, 9).expect_err("other size").contains("8 positions"));
    }
}
