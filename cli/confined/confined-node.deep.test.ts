import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { confinedNode, hasNamespaces } from './confined-node.ts'

/** Connects with Node's internal handle, past all that `confineProcess` replaces. Prints the result of the system. */
const throughHandle = `
  const net = require('node:net')
  const own = net.createServer().listen(0, '127.0.0.1', () => {
    const TCP = own._handle.constructor
    const { connect } = TCP.prototype
    TCP.prototype.connect = function (request, ...place) {
      TCP.prototype.connect = connect
      const handle = new TCP(0)
      const other = new request.constructor()
      other.oncomplete = status => (process.stdout.write('connected: ' + (status === 0)), process.exit())
      const failed = handle.connect(other, '127.0.0.1', Number(process.env.TEST_PORT))
      if (failed !== 0) { process.stdout.write('connected: false'); process.exit() }
      return 0
    }
    net.connect(own.address().port, '127.0.0.1')
  })`

/** Runs a program with a listener on this machine beside it. Returns its output and the number of connections. */
const run = async (code: string, network: 'none' | 'reads') => {
  let connections = 0
  const server = createServer(socket => {
    connections++
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const port = String((server.address() as AddressInfo).port)
  const { command, args, env } = confinedNode({ ...process.env, TEST_PORT: port }, network)
  const child = spawn(command, [...args, '-e', code], {
    env,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    serialization: 'advanced',
  })
  child.on('message', message => child.send(message))
  return { output: child.stdout === null ? '' : await text(child.stdout), connections, pid: child.pid }
}

describe.runIf(hasNamespaces(process.env))(
  'a process without an allowed network (skipped where the system forbids namespaces)',
  () => {
    test('it reaches no listener of this machine, also not with internal handles of Node', async () => {
      expect(await run(throughHandle, 'none')).toMatchObject({ output: 'connected: false', connections: 0 })
      // The same program reaches it with a network, so the test is able to see a connection.
      expect(await run(throughHandle, 'reads')).toMatchObject({ output: 'connected: true', connections: 1 })
    })

    test('it reaches its own listeners, reads files, and has its channel and its signals', async () => {
      const code = `
        const net = require('node:net')
        const own = net.createServer(socket => socket.end('own')).listen(0, '127.0.0.1', () =>
          net.connect(own.address().port, '127.0.0.1').on('data', bytes => {
            process.once('message', given => {
              process.stdout.write(JSON.stringify([String(bytes), given, process.pid]), () => process.exit())
            })
            process.send(require('node:fs').readFileSync('package.json').length > 0)
          }))`
      const { output, pid } = await run(code, 'none')
      expect(JSON.parse(output)).toEqual(['own', true, pid])
    })

    test.runIf(process.getuid?.() === 0)(
      'with root, it reads private files of other users (skipped without root)',
      async () => {
        const folder = await mkdtemp(join(tmpdir(), 'trellis-private-'))
        onTestFinished(() => rm(folder, { recursive: true }))
        const file = join(folder, 'function.ts')
        await writeFile(file, 'theirs', { mode: 0o600 })
        for (const path of [file, folder]) await chown(path, 1000, 1000)
        const code = `process.stdout.write(require('node:fs').readFileSync(${JSON.stringify(file)}))`
        expect(await run(code, 'none')).toMatchObject({ output: 'theirs' })
      },
    )
  },
)

test('a system without the programs for namespaces runs Node itself', () => {
  expect(confinedNode({ PATH: '/nowhere' }, 'none').command).toBe(process.execPath)
})
