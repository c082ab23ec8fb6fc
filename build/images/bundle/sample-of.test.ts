import { describe, expect, test } from 'vitest'
import { findFunctions } from '../../../functions/find-functions.ts'
import { ownProject } from '../../project/project.ts'
import { exampleObjects, sampleOf } from './sample-of.ts'

const examples = await exampleObjects(await ownProject())

describe('the warm-up input of a function', async () => {
  test.each(await findFunctions())('$name: an example of its kind and type', ({ kind, types }) => {
    const [object] = sampleOf({ kind, types }, examples)
    expect(object).toMatchObject({ kind, spec: { type: expect.stringMatching(types.join('|')) } })
  })

  test('has also the objects in its namespace and in that of its Secret, and no others', () => {
    const names = (kind: 'Worker' | 'BackupBucket') =>
      sampleOf({ kind, types: ['aws'] }, examples).map(({ kind, metadata: { name, namespace } }) =>
        [kind, namespace, name].filter(part => part !== undefined).join(' '),
      )
    expect(names('Worker')).toEqual([
      'Worker shoot--garden--pools pools',
      'Namespace shoot--garden--pools',
      'Cluster shoot--garden--pools',
      ...['cloudprovider', 'gardener-node-init-system', 'gardener-node-init-batch'].map(
        name => `Secret shoot--garden--pools ${name}`,
      ),
    ])
    expect(names('BackupBucket')).toContain('Secret garden bucket-9f6d1c3e-backups-of-seed')
  })

  test('contains nothing that looks like an AWS key', () => {
    const text = JSON.stringify(sampleOf({ kind: 'BackupBucket', types: ['aws'] }, examples))
    expect(text).toContain('"accessKeyID":"SAMPLE')
    expect(text).not.toMatch(/AKIA/)
  })

  test('is empty if there is no example', () => {
    expect(sampleOf({ kind: 'Worker', types: ['acme'] }, examples)).toEqual([])
  })
})
