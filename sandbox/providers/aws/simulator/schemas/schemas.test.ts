import { NormalizedSchema } from '@smithy/core/schema'
import { describe, expect, test } from 'vitest'
import { subjects } from '../codec/testing/subjects.ts'
import { readSchemas } from './read-schemas.ts'
import { clientPackages, type StoredService, storedSchemas } from './stored-schemas.ts'
import { writtenSchemas } from './written-schemas.ts'

describe('wire schemas', () => {
  test.each(subjects)(
    'the schemas of $packageName lose nothing when they are written and read',
    ({ client }) => {
      const text = writtenSchemas(client)
      // Not toBe: its diff of a megabyte of text takes minutes.
      expect(writtenSchemas({ ...readSchemas(Buffer.from(text)) }) === text).toBe(true)
    },
  )

  test('the schemas of every service match those of the installed client', () => {
    const services = Object.keys(clientPackages) as StoredService[]
    const client = (service: StoredService) =>
      subjects.find(({ packageName }) => packageName === clientPackages[service])?.client ?? {}
    const found = services.map(service => writtenSchemas({ ...storedSchemas(service) }))
    expect(found.every((text, at) => text === writtenSchemas(client(services[at] ?? 'sts')))).toBe(true)
  })
})

describe('schemas', () => {
  const leaf = [3, 'com.example', 'Leaf', 0, ['Name', 'Next'], [[0, { xmlName: 'n' }], () => leaf], 1]
  const failure = [-3, 'com.example', 'Failure', { error: 'client' }, [], []]
  const call = [9, 'com.example', 'Call', { http: ['POST', '/', 200] }, () => leaf, 'unit']
  const text = writtenSchemas({ failure, leaf, call, other: class {}, unused: [0, 'com.example', 'U', 8, 0] })

  test('the schemas are written with the operations first, and without unused ones', () => {
    expect(text.split('\n')).toEqual([
      '[9,"com.example","Call",{"http":["POST","/",200]},"#2","unit"]',
      '[-3,"com.example","Failure",{"error":"client"},[],[]]',
      '[3,"com.example","Leaf",0,["Name","Next"],[[0,{"xmlName":"n"}],"#2"],1]',
      '',
    ])
  })

  test('schemas that contain themselves are read', () => {
    const [operation] = readSchemas(Buffer.from(text)) as readonly (readonly unknown[])[]
    const input = NormalizedSchema.of(operation?.[4] as () => never)
    const next = input.getMemberSchema('Next')
    expect(next.getMemberSchema('Next').getMemberSchema('Name').getMergedTraits()).toEqual({ xmlName: 'n' })
  })

  test('schemas are not written if a text in them looks like a reference', () => {
    expect(() => writtenSchemas({ call: [9, 'com.example', 'Call', { doc: '#1' }, 'unit', 'unit'] })).toThrow(
      '#1 looks like a schema',
    )
  })
})
