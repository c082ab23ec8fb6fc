import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

export interface ListeningNameServer {
  /** `127.0.0.1:40053` */
  readonly address: string
  close(): Promise<void>
}

/** Returns the responses to a message, in order. */
type AnswerMessages = (message: Uint8Array, over: 'udp' | 'tcp') => readonly Buffer[]

const host = '127.0.0.1'
const lengthBytes = 2
/** Number of further ports to try if a TCP server uses the UDP port. */
const tries = 10

/** Serves UDP and TCP on one port. Rejects with the system's error if the port is in use. */
export const listen = async (
  answers: AnswerMessages,
  { port }: { readonly port: number },
): Promise<ListeningNameServer> => {
  for (let attempt = 1; ; attempt++) {
    const udp = await bindUdp(answers, port)
    try {
      const tcp = await bindTcp(answers, udp.address().port)
      return {
        address: `${host}:${udp.address().port}`,
        close: async () => {
          await Promise.all([new Promise<void>(resolve => udp.close(() => resolve())), closeServer(tcp)])
        },
      }
    } catch (error) {
      udp.close()
      if (port !== 0 || attempt === tries) throw error
    }
  }
}

const bindUdp = async (answers: AnswerMessages, port: number): Promise<Socket> => {
  const socket = createSocket('udp4')
  socket.on('message', (message, sender) => {
    for (const answer of answers(message, 'udp')) socket.send(answer, sender.port, sender.address)
  })
  socket.bind(port, host)
  await once(socket, 'listening')
  socket.on('error', () => {})
  return socket
}

interface TcpServer {
  readonly server: Server
  readonly end: () => void
}

const bindTcp = async (answers: AnswerMessages, port: number): Promise<TcpServer> => {
  const open = new Set<{ destroy(): void }>()
  const server = createServer(socket => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => {})
    let received: Buffer = Buffer.alloc(0)
    socket.on('data', bytes => {
      received = Buffer.concat([received, bytes])
      while (received.length >= lengthBytes) {
        const length = received.readUInt16BE(0)
        if (received.length < lengthBytes + length) return
        const message = received.subarray(lengthBytes, lengthBytes + length)
        received = received.subarray(lengthBytes + length)
        for (const answer of answers(message, 'tcp')) {
          const size = Buffer.alloc(lengthBytes)
          size.writeUInt16BE(answer.length)
          socket.write(Buffer.concat([size, answer]))
        }
      }
    })
  })
  server.listen(port, host)
  await once(server, 'listening')
  return { server, end: () => open.forEach(socket => void socket.destroy()) }
}

const closeServer = ({ server, end }: TcpServer): Promise<void> =>
  new Promise(resolve => {
    server.close(() => resolve())
    end()
  })
