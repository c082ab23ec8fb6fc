import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readYaml } from '../../shared/text/read-yaml.ts'
import { type InstallOptions, runInstall } from './run-install.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-run-install-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Returns what the command prints for values, on a terminal or in a pipe. */
const printed = async (
  values: object,
  isTTY: boolean,
  flags: Partial<InstallOptions> = {},
): Promise<string> => {
  const file = join(folder, 'values.yaml')
  await writeFile(file, JSON.stringify(values))
  const written: Uint8Array[] = []
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation(content => {
    written.push(typeof content === 'string' ? Buffer.from(content) : content)
    return true
  })
  const wasTTY = process.stdout.isTTY
  process.stdout.isTTY = isTTY
  try {
    const options: InstallOptions = {
      ...{ render: 'registration', provider: ['local'], function: [], namespace: 'trellis' },
      ...{ registry: 'r.example/t', chart: 'r.example/c:1', values: file, primary: true },
      ...flags,
    }
    await runInstall(options, () => false)
  } finally {
    process.stdout.isTTY = wasTTY
    spy.mockRestore()
  }
  return Buffer.concat(written).toString('utf8')
}

// A joiner as in an emoji, a soft hyphen, a separator of lines, and a tag beyond 16 bits.
const text = 'a\u200db \u00ad\u2028\u{e0001}'

test('a value reaches kubectl as it was given, also with characters that a terminal could act on', async () => {
  const documents = readYaml(await printed({ functionEnv: { NAME: text } }, false))
  expect(JSON.stringify(documents)).toContain(JSON.stringify(text))
})

test('on a terminal, the same characters are escaped', async () => {
  const shown = await printed({ functionEnv: { NAME: text } }, true)
  expect(shown).toContain('a\\u200db \\u00ad\\u2028')
  expect(shown).not.toMatch(/\p{Cf}/u)
})

test('the flag for resources declares the objects of templates in values', async () => {
  const values = { functionEnv: { PASSWORD: '{{ .resources.proxy.data.password }}' } }
  const [deployment] = readYaml(
    await printed(values, false, { resources: 'proxy=Secret/proxy-1,hosts=ConfigMap/hosts' }),
  )
  expect(deployment).toMatchObject({
    value: {
      helm: { values },
      resources: [
        { name: 'proxy', resourceRef: { apiVersion: 'v1', kind: 'Secret', name: 'proxy-1' } },
        { name: 'hosts', resourceRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'hosts' } },
      ],
    },
  })
  await expect(printed(values, false)).rejects.toThrow('Add --resources proxy=Secret/OBJECT')
  await expect(printed(values, false, { resources: 'proxy=Sekret/a' })).rejects.toThrow(
    '"proxy=Sekret/a" is not a resource: expected NAME=Secret/OBJECT',
  )
})
