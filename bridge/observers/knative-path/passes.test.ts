import { expect, test } from 'vitest'
import { passes } from './passes.ts'

const known = { kind: 'Worker', provider: 'aws' }

test.each<[object, boolean | undefined]>([
  [{}, true],
  [{ filter: {} }, true],
  [{ filter: { attributes: { kind: 'Worker', provider: 'aws' } } }, true],
  [{ filter: { attributes: { kind: 'Worker', provider: 'gcp' } } }, false],
  [{ filter: { attributes: { kind: '' } } }, true],
  [{ filter: { attributes: { kind: 'Worker', source: '/seeds/a' } } }, undefined],
  [{ filter: { attributes: { kind: 'Bastion', source: '/seeds/a' } } }, false],
  [{ filters: [], filter: { attributes: { kind: 'Bastion' } } }, false],
  [{ filters: [{ exact: { kind: 'Worker' } }], filter: { attributes: { kind: 'Bastion' } } }, true],
  [{ filters: [{ exact: { kind: 'Worker' } }, { exact: { provider: 'gcp' } }] }, false],
  [{ filters: [{ any: [{ exact: { provider: 'gcp' } }, { exact: { provider: 'aws' } }] }] }, true],
  [{ filters: [{ any: [{ exact: { provider: 'gcp' } }] }] }, false],
  [{ filters: [{ any: [{ cesql: 'x' }, { exact: { provider: 'aws' } }] }] }, true],
  [{ filters: [{ all: [{ prefix: { kind: 'Wor' } }, { suffix: { kind: 'ker' } }] }] }, true],
  [{ filters: [{ not: { exact: { kind: 'Worker' } } }] }, false],
  [{ filters: [{ not: { exact: { source: 'a' } } }] }, undefined],
  [{ filters: [{ cesql: "kind = 'Worker'" }] }, undefined],
  [{ filters: ['broken', { exact: null }] }, undefined],
])('the filter %j', (spec, expected) => expect(passes(spec, known)).toBe(expected))
