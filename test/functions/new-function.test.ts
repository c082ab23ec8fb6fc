import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { create, entries, saved } from '../../cli/replay/testing/replay-run.ts'
import { settingsPage } from '../../docs/settings-page.ts'
import { type FoundFunction, findFunctions } from '../../functions/find-functions.ts'
import {
  type FunctionFolder,
  functionFolder,
  imports,
  importZod,
} from '../../functions/testing/function-folder.ts'
import { writeManifests } from '../../knative/knative.ts'
import { loadManifests } from '../../sandbox/knative/knative.ts'
import { createApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import { inProcessFunctions } from '../../sandbox/seed/seed.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { createKubernetes } from '../../shared/kubernetes/kubernetes.ts'
import { checkFunctions } from '../check/check-functions.ts'

/** A function of an unknown provider: one file, without changes elsewhere. */
const source = `${imports}${importZod}
const configMaps = { group: '', version: 'v1', plural: 'configmaps', namespaced: true }

export const definition = defineFunction({
  name: 'acme-dnsrecord',
  kind: 'DNSRecord',
  type: 'acme-zone-file',
  settings: z.object({ zoneFile: z.string().default('/zones').meta({ description: 'Where the zones are.' }) }),
  permissions: [{ resource: configMaps, verbs: ['list'], why: 'Acme keeps its zones in ConfigMaps.' }],
  create: ({ zoneFile }) => ({
    reconcile: async ({ object, kubernetes }) => {
      const { items } = await kubernetes.list(configMaps)
      return done({ zone: \`\${zoneFile}/\${object.spec.name}/\${items.length}\` })
    },
    remove: async () => done(),
  }),
})
`

let folder: FunctionFolder
let functions: readonly FoundFunction[]
beforeAll(async () => {
  folder = await functionFolder({ 'acme/dnsrecord/function.ts': source })
  functions = await findFunctions(folder.root)
})
afterAll(() => folder.remove())

describe('a function in one new folder', () => {
  test('passes all checks', async () => {
    expect(functions.map(({ name }) => name)).toEqual(['acme-dnsrecord'])
    expect(await checkFunctions(folder.root)).toEqual([])
  })

  test('has manifests that the sandbox reads, and RBAC rules', async () => {
    const manifests = join(folder.root, '.manifests')
    await writeManifests(manifests, functions)
    const broker = join(import.meta.dirname, '../../knative/base/broker.yaml')
    const { triggers, services } = await loadManifests([broker, manifests])
    expect(triggers.map(({ spec }) => spec.filter?.attributes)).toEqual([
      { kind: 'DNSRecord', provider: 'acme-zone-file' },
    ])
    expect(services.map(({ metadata }) => metadata.name)).toEqual(['acme-dnsrecord'])
    const documents = parseAllDocuments(await readFile(join(manifests, 'acme-dnsrecord.yaml'), 'utf8'))
    const role = documents.map(document => document.toJS()).find(({ kind }) => kind === 'ClusterRole')
    expect(role.rules).toContainEqual({ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] })
  })

  test('has events to replay', async () => {
    const event = await saved(create)
    const foreign = {
      ...event,
      provider: 'acme-zone-file',
      data: { ...event.data, spec: { ...event.data.spec, type: 'acme-zone-file' } },
    }
    const file = join(folder.root, 'event.json')
    await writeFile(file, JSON.stringify(foreign))
    const [entry] = await entries([file], { functionsRoot: folder.root })
    expect(entry?.outcome).toEqual({ kind: 'recorded', how: 'succeeded' })
    expect(entry?.object.after.status).toMatchObject({
      zone: '/zones/api.rose.example.com/0',
      lastOperation: { state: 'Succeeded' },
    })
    await expect(entries([file])).rejects.toThrow(
      /no function serves kind DNSRecord and provider acme-zone-file; known functions: .*\baws-dnsrecord\b/,
    )
  })

  test('has a row for its setting, apart from the settings of every function', () => {
    const [common = '', own = ''] = settingsPage(functions, []).split('## Some functions')
    expect(own).toContain('| `acme-dnsrecord` | `TRELLIS_ZONE_FILE` | `/zones` | Where the zones are. |')
    expect(common).toContain('| `TRELLIS_PORT, PORT` |')
    expect(own).not.toContain('TRELLIS_PORT')
  })

  test('is served by the sandbox', async () => {
    const server = createApiServer({ clock: systemClock })
    const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
    const start = inProcessFunctions({
      kubernetes: createKubernetes({ transport: server.transport, clock: systemClock }),
      connection: undefined,
      clock: systemClock,
      log,
      settings: { zoneFile: '/elsewhere' },
    })
    const [fn] = functions
    if (fn === undefined) throw new Error('there is no function')
    const running = await start(fn)
    try {
      expect((await fetch(`${running.url}/health/readiness`)).status).toBe(200)
    } finally {
      await running.close()
      await server.close()
    }
  })
})
