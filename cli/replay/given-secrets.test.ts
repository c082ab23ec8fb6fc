import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FunctionFolder, functionFolder, imports } from '../../functions/testing/function-folder.ts'
import { create, replay, saved } from './testing/replay-run.ts'

/** A function that compares its Secret with the planted one, and does not print it. */
const recordFile = `${imports}
export const definition = defineFunction({
  name: 'acme-record', kind: 'DNSRecord', type: 'aws-route53',
  create: () => ({
    reconcile: async ({ secret }) => done({ zone: secret?.data.token === 'planted' ? 'given' : 'made up' }),
    remove: async () => done(),
  }),
})
`

let folder: FunctionFolder
beforeAll(async () => {
  const { data } = await saved(create)
  const { namespace = '' } = data.metadata
  const { secretRef } = Object(data.spec)
  const cluster = {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'Cluster',
    metadata: { name: namespace },
    spec: { cloudProfile: {}, seed: {}, shoot: {} },
  }
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: secretRef, data: { token: btoa('planted') } }
  folder = await functionFolder({
    'acme/record/function.js': recordFile,
    'cluster.json': JSON.stringify(cluster),
    'cluster-and-secret.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [cluster, secret] }),
  })
})
afterAll(() => folder.remove())

test('a replay uses the Secret in the file of --cluster, and makes one up if there is none', async () => {
  const zoneWith = async (name: string) => {
    const given = { function: join(folder.root, 'acme/record'), cluster: join(folder.root, name) }
    const { text } = await replay([create], given)
    return /zone: (.*)$/m.exec(text)?.[1]
  }
  expect(await zoneWith('cluster-and-secret.json')).toBe('given')
  expect(await zoneWith('cluster.json')).toBe('made up')
})
