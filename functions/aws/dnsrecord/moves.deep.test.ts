import { describe, test } from 'vitest'
import { share } from '../../../test/cases/share.ts'
import { expectMoves, sequels } from './testing/moves.ts'
import { fates } from './testing/record-life.ts'

const records: readonly (readonly [string, object])[] = [
  ['addresses', {}],
  ['a CNAME', { recordType: 'CNAME', values: ['x.org'] }],
  ['an alias', { recordType: 'CNAME', values: ['lb-1.eu-west-1.elb.amazonaws.com'] }],
]

const courses = fates.flatMap(fate => Object.keys(sequels).map(sequel => [fate, sequel] as const))

describe.each(records)('a record of %s that moves to another zone', (name, values) => {
  const index = records.findIndex(([other]) => other === name)
  test.each(share(courses, records.length, index))(
    'is only where it belongs if any call of the move has the fate "%s", and then %s',
    async (fate, sequel) => expectMoves(values, fate, sequel),
  )
})
