import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestSeed, type TestSeed } from './harness.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const isRunnable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
const kubectlFile = (process.env.PATH ?? '')
  .split(delimiter)
  .map(folder => join(folder, 'kubectl'))
  .find(isRunnable)

const title = `with a real kubectl${kubectlFile === undefined ? ' (skipped: there is none on the PATH)' : ''}`

describe.skipIf(kubectlFile === undefined)(title, () => {
  let seed: TestSeed
  beforeAll(async () => {
    seed = await startTestSeed({ kinds: ['DNSRecord'] })
  })
  afterAll(() => seed.close())

  /** Runs kubectl and returns what it wrote; fails with its words when it does. */
  const kubectl = async (...args: readonly string[]): Promise<string> => {
    const child = spawn(kubectlFile ?? '', ['--namespace=shoot--garden--rose', ...args], {
      env: { PATH: process.env.PATH, KUBECONFIG: seed.kubeconfigFile, HOME: join(seed.kubeconfigFile, '..') },
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', chunk => {
        output += String(chunk)
      })
    }
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')} ended with ${code}: ${output}`)
    return output
  }

  const names = ['rose-external', 'rose-ingress', 'rose-ipv6', 'rose-owner']

  test('the examples become records, and kubectl waits for them', async () => {
    await kubectl('apply', '--filename=examples/dnsrecord/shoot.yaml')
    const applied = await kubectl('apply', '--filename=examples/dnsrecord/records.yaml')
    for (const name of names) {
      expect(applied).toContain(`dnsrecord.extensions.gardener.cloud/${name} created`)
    }
    await kubectl(
      'wait',
      '--for=jsonpath={.status.lastOperation.state}=Succeeded',
      '--timeout=20s',
      ...names.map(name => `dnsrecord/${name}`),
    )
    expect(seed.records()).toHaveLength(5)
  })

  test('get shows the columns of the kind', async () => {
    const table = (await kubectl('get', 'dns')).trim().split('\n')
    expect(table[0]?.split(/\s{2,}/)).toEqual(['NAME', 'TYPE', 'DOMAIN NAME', 'RECORD TYPE', 'STATUS', 'AGE'])
    expect(table.slice(1).map(line => line.split(/\s{2,}/).slice(0, 5))).toEqual([
      ['rose-external', 'aws-route53', 'api.rose.example.com', 'A', 'Succeeded'],
      ['rose-ingress', 'aws-route53', '*.ingress.rose.example.com', 'CNAME', 'Succeeded'],
      ['rose-ipv6', 'aws-route53', 'v6.rose.example.com', 'AAAA', 'Succeeded'],
      ['rose-owner', 'aws-route53', 'owner.rose.example.com', 'TXT', 'Succeeded'],
    ])
  })

  test('applying the same again is a request that changes nothing in the cloud', async () => {
    seed.aws.calls.clear()
    await kubectl('apply', '--filename=examples/dnsrecord/records.yaml')
    for (const name of names) await seed.untilReady(name)
    expect(seed.changes()).toEqual([])
  })

  test('a patched value and an annotation change the record', async () => {
    await kubectl(
      'patch',
      'dns',
      'rose-external',
      '--type=merge',
      '--patch={"spec":{"values":["203.0.113.77"]}}',
    )
    await kubectl('annotate', 'dns', 'rose-external', 'gardener.cloud/operation=reconcile', '--overwrite')
    await seed.untilReady('rose-external')
    expect(seed.records()).toContain('A api.rose.example.com. 120 203.0.113.77')
  })

  test('deleting takes a confirmation first', async () => {
    await expect(kubectl('delete', 'dns', 'rose-owner')).rejects.toThrow(
      'confirmation.gardener.cloud/deletion',
    )
    await kubectl('annotate', 'dns', '--all', 'confirmation.gardener.cloud/deletion=true')
    await kubectl('delete', 'dns', '--all', '--timeout=20s')
    expect(await kubectl('get', 'dns')).toContain('No resources found')
    expect(seed.records()).toEqual([])
  })
})
