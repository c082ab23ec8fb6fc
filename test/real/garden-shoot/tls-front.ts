/**
 * Runs in a Pod: ends TLS, and forwards to a plain TCP server outside. Arguments: port, folder of tls.crt and tls.key,
 * protocol for ALPN, host and port of the server.
 */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { createServer } from 'node:tls'

const [port, folder, protocol = '', host = '', target] = process.argv.slice(1)
const [cert, key] = ['crt', 'key'].map(name => readFileSync(`${folder}/tls.${name}`))
createServer({ cert, key, ALPNProtocols: [protocol], noDelay: true }, secure => {
  const plain = connect({ host, port: Number(target), noDelay: true })
  for (const [one, other] of [
    [secure, plain],
    [plain, secure],
  ] as const) {
    one.pipe(other)
    one.on('error', () => other.destroy())
    one.on('close', () => other.destroy())
  }
}).listen(Number(port))
