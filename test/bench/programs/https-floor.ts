import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'

// The minimum work of a Node HTTPS server for a review: reads it, and always returns the same answer.
const [key = '', cert = ''] = process.argv.slice(2).map(file => readFileSync(file))
const answer = JSON.stringify({ response: { allowed: true } })
const server = createServer({ key, cert }, (request, response) => {
  request.resume()
  request.on('end', () => response.writeHead(200, { 'content-length': String(answer.length) }).end(answer))
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`${JSON.stringify({ msg: 'webhooks running', port, probePort: port })}\n`)
})
