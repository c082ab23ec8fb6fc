import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFunctions } from '../functions/find-functions.ts'
import type { HttpListener } from '../sandbox/kubernetes/kubernetes.ts'
import { createApiServer } from '../sandbox/kubernetes/kubernetes.ts'
import { compileCache } from '../sandbox/seed/seed.ts'
import { systemClock } from '../shared/clock/clock.ts'
import { allCrds } from '../shared/contract/crds/crd-of.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const functions = await findFunctions()

let folder = ''
let holder: Server
let taken = ''
let seed: HttpListener
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-ports-'))
  holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  taken = String((holder.address() as AddressInfo).port)
  const server = createApiServer({ clock: systemClock, objects: allCrds() })
  seed = await server.listen()
  await writeFile(join(folder, 'kubeconfig'), server.kubeconfig(seed.url))
})
afterAll(async () => {
  holder.close()
  await seed.close()
  await rm(folder, { recursive: true, force: true })
})

/** Runs a command until it exits. */
const end = async (args: readonly string[]) => {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      TMPDIR: folder,
      NODE_COMPILE_CACHE: compileCache,
      KUBECONFIG: join(folder, 'kubeconfig'),
      TRELLIS_ADDRESS: '127.0.0.1',
      TRELLIS_PORT: taken,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      output += String(chunk)
    })
  const [code] = await once(child, 'close')
  return { code, output }
}

const trellis = 'cli/trellis.mjs'
const bridge = ['--kubeconfig', 'KUBECONFIG', '--seed', 'any', '--sink', 'http://127.0.0.1:9']

describe('a port in use ends the process with one line that names the port', () => {
  test.each<[string, number, readonly string[]]>([
    ['--kubernetes-port', 2, [trellis, 'dev', '--kubernetes-port', 'TAKEN']],
    ['--aws-port', 2, [trellis, 'dev', '--aws-port', 'TAKEN']],
    ['--port', 2, [trellis, 'aws', '--port', 'TAKEN']],
    ['--port', 2, [trellis, 'bridge', ...bridge]],
    ['--port', 2, [trellis, 'bridge', ...bridge, '--leader-election']],
    ['--port', 2, ['bridge/main.ts', ...bridge]],
    ...functions.map(({ file }): [string, number, string[]] => [
      '',
      1,
      ['functions/main.ts', relative(root, file)],
    ]),
  ])('%s, exit code %i: %j', async (flag, code, given) => {
    const args = given.map(arg =>
      arg === 'TAKEN' ? taken : arg === 'KUBECONFIG' ? join(folder, 'kubeconfig') : arg,
    )
    const ended = await end(args)
    expect(ended).toMatchObject({ code, output: expect.stringContaining(taken) })
    expect(ended.output).toContain(flag)
    expect(ended.output.trimEnd().split('\n')).toHaveLength(1)
  })
})
