import { readFileSync } from 'node:fs'
import { NormalizedSchema } from '@smithy/core/schema'
import { describe, expect, it } from 'vitest'
import { subjects } from '../codec/testing/subjects.ts'
import { readSchemas } from './read-schemas.ts'
import { clientPackages, type StoredService, schemaFile } from './stored-schemas.ts'
import { writtenSchemas } from './written-schemas.ts'

describe('the stored schemas', () => {
  it.each(Object.keys(clientPackages) as StoredService[])(
    'of %s are those of the installed SDK (make schemas)',
    service => {
      const client = subjects.find(({ packageName }) => packageName === clientPackages[service])?.client
      // Not toBe: its difference of a megabyte of text takes minutes.
      expect(readFileSync(schemaFile(service), 'utf8') === writtenSchemas(client ?? {})).toBe(true)
    },
  )

  it.each(Object.keys(clientPackages) as StoredService[])(
    'of %s lose nothing when they are read',
    service => {
      const text = readFileSync(schemaFile(service))
      const schemas = readSchemas(text)
      expect(writtenSchemas({ ...schemas }) === text.toString('utf8')).toBe(true)
    },
  )
})

describe('schemas', () => {
  const leaf = [3, 'com.example', 'Leaf', 0, ['Name', 'Next'], [[0, { xmlName: 'n' }], () => leaf], 1]
  const failure = [-3, 'com.example', 'Failure', { error: 'client' }, [], []]
  const call = [9, 'com.example', 'Call', { http: ['POST', '/', 200] }, () => leaf, 'unit']
  const text = writtenSchemas({ failure, leaf, call, other: class {}, unused: [0, 'com.example', 'U', 8, 0] })

  it('are written with the operations first, and without what no operation and no error needs', () => {
    expect(text.split('\n')).toEqual([
      '[9,"com.example","Call",{"http":["POST","/",200]},"#2","unit"]',
      '[-3,"com.example","Failure",{"error":"client"},[],[]]',
      '[3,"com.example","Leaf",0,["Name","Next"],[[0,{"xmlName":"n"}],"#2"],1]',
      '',
    ])
  })

  it('that hold themselves are read', () => {
    const [operation] = readSchemas(Buffer.from(text)) as readonly (readonly unknown[])[]
    const input = NormalizedSchema.of(operation?.[4] as () => never)
    const next = input.getMemberSchema('Next')
    expect(next.getMemberSchema('Next').getMemberSchema('Name').getMergedTraits()).toEqual({ xmlName: 'n' })
  })

  it('with text that looks like a reference are not written', () => {
    expect(() => writtenSchemas({ call: [9, 'com.example', 'Call', { doc: '#1' }, 'unit', 'unit'] })).toThrow(
      '#1 looks like a schema',
    )
  })
})
