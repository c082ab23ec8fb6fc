import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { NamedAddresses } from './service-names.ts'

const headerBytes = 12
const typeA = 1
/** Recursion is desired and available. */
const answered = 0x8180
const noSuchName = 0x8183

/** Answers a query for the IPv4 addresses of a name. A TTL of zero: no program caches an answer. */
export const answerTo = (query: Buffer, names: NamedAddresses): Buffer => {
  const labels: string[] = []
  let at = headerBytes
  for (let length = query[at]; length !== undefined && length > 0; length = query[at]) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const end = at + 5
  const found = names.get(labels.join('.').toLowerCase())
  const addresses = query.readUInt16BE(at + 1) === typeA ? (found ?? []) : []
  const header = Buffer.alloc(headerBytes)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(found === undefined ? noSuchName : answered, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(addresses.length, 6)
  const records = addresses.map(address =>
    // A pointer to the name in the question, type A, class IN, TTL 0, four bytes.
    Buffer.from([0xc0, headerBytes, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  )
  return Buffer.concat([header, query.subarray(headerBytes, end), ...records])
}

/** Starts a name server at port 53 of an address. Unknown names do not exist: it asks no other server. */
export const startNameServer = async (
  address: string,
  names: () => NamedAddresses,
): Promise<{ readonly close: () => void }> => {
  const socket = createSocket('udp4').on('message', (query, { port, address: from }) => {
    if (query.length > headerBytes) socket.send(answerTo(query, names()), port, from)
  })
  socket.bind(53, address)
  await once(socket, 'listening')
  return { close: () => socket.close() }
}
