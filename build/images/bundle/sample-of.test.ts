import { describe, expect, test } from 'vitest'
import { findFunctions } from '../../../functions/find-functions.ts'
import { sampleOf } from './sample-of.ts'

describe('the warm-up input of a function', async () => {
  test.each(await findFunctions())('$name: an example of its kind and type', async ({ kind, types }) => {
    const [object] = await sampleOf({ kind, types })
    expect(object).toMatchObject({ kind, spec: { type: expect.stringMatching(types.join('|')) } })
  })

  test('has also the objects in its namespace and in that of its Secret, and no others', async () => {
    const names = async (kind: 'Worker' | 'BackupBucket') =>
      (await sampleOf({ kind, types: ['aws'] })).map(({ kind, metadata: { name, namespace } }) =>
        [kind, namespace, name].filter(part => part !== undefined).join(' '),
      )
    expect(await names('Worker')).toEqual([
      'Worker shoot--garden--pools pools',
      'Namespace shoot--garden--pools',
      'Cluster shoot--garden--pools',
      ...['cloudprovider', 'gardener-node-init-system', 'gardener-node-init-batch'].map(
        name => `Secret shoot--garden--pools ${name}`,
      ),
    ])
    expect(await names('BackupBucket')).toContain('Secret garden bucket-9f6d1c3e-backups-of-seed')
  })

  test('contains nothing that looks like an AWS key', async () => {
    const text = JSON.stringify(await sampleOf({ kind: 'BackupBucket', types: ['aws'] }))
    expect(text).toContain('"accessKeyID":"SAMPLE')
    expect(text).not.toMatch(/AKIA/)
  })

  test('is empty if there is no example', async () => {
    expect(await sampleOf({ kind: 'Worker', types: ['acme'] })).toEqual([])
  })
})
