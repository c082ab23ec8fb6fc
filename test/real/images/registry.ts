import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onFreePorts } from '../free-port.ts'
import { startServerProcess } from '../server-process.ts'

export interface Registry {
  /** Host and port, without TLS. */
  readonly host: string
  readonly stop: () => Promise<void>
}

/** Starts an empty registry of the distribution project on 127.0.0.1. */
export const startRegistry = (program: string): Promise<Registry> =>
  onFreePorts(1, (port = 0) => startOn(program, port))

const startOn = async (program: string, port: number): Promise<Registry> => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-registry-'))
  const host = `127.0.0.1:${port}`
  const config = join(folder, 'config.yml')
  await writeFile(
    config,
    JSON.stringify({
      version: 0.1,
      storage: { filesystem: { rootdirectory: join(folder, 'images') } },
      http: { addr: host },
    }),
  )
  const server = startServerProcess({ command: program, args: ['serve', config], folder })
  const isUp = () =>
    fetch(`http://${host}/v2/`).then(
      ({ ok }) => ok,
      () => false,
    )
  let isOver = false
  void server.ended.then(() => {
    isOver = true
  })
  while (!(await isUp())) {
    if (isOver) throw new Error(`the registry ended: ${server.output()}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  return { host, stop: server.stop }
}

/** Starts a registry that gives every request the same answer. */
export const startRefusingRegistry = async (status: number): Promise<Registry> => {
  const server = createServer((_, response) => {
    response.writeHead(status, status === 401 ? { 'www-authenticate': 'Basic realm="images"' } : {})
    response.end('{"errors":[{"code":"DENIED","message":"no"}]}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
