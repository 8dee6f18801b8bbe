/** The parts of a backup: its first line, and each record with its length and name. */
export type BackupBytes = { line: Buffer; records: { name: string; bytes: Buffer }[] }

export function takeApart(file: Buffer): BackupBytes {
  const end = file.indexOf('\n') + 1
  const records: BackupBytes['records'] = []
  for (let at = end; at < file.length;) {
    const [length, nameLength] = [file.readUInt32BE(at), file.readUInt8(at + 4)]
    const next = at + 5 + nameLength + length
    records.push({
      name: file.subarray(at + 5, at + 5 + nameLength).toString(),
      bytes: Buffer.from(file.subarray(at, next)),
    })
    at = next
  }
  return { line: file.subarray(0, end), records }
}

export function putTogether({ line, records }: BackupBytes): Buffer {
  return Buffer.concat([line, ...records.map(({ bytes }) => bytes)])
}

/** The backup with one byte of the record's text flipped. */
export function flipped(backup: BackupBytes, name: string): BackupBytes {
  return {
    ...backup,
    records: backup.records.map((record) =>
      record.name === name ? { name, bytes: flip(record.bytes) } : record,
    ),
  }
}

function flip(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  const at = copy.length - 20
  copy.writeUInt8(255 - copy.readUInt8(at), at)
  return copy
}
