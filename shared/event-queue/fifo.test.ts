import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFifo } from './scheduler.ts'

test('it behaves like a list without duplicates under any sequence of calls', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e')
  const call = fc.oneof(
    fc.record({ call: fc.constant('push' as const), key }),
    fc.record({ call: fc.constant('delete' as const), key }),
    fc.record({ call: fc.constant('shift' as const), key: fc.constant('') }),
  )
  fc.assert(
    fc.property(fc.array(call, { maxLength: 60 }), calls => {
      const fifo = createFifo()
      let model: string[] = []
      for (const { call, key } of calls) {
        if (call === 'push') {
          fifo.push(key)
          if (!model.includes(key)) model.push(key)
        } else if (call === 'delete') {
          expect(fifo.delete(key)).toBe(model.includes(key))
          model = model.filter(other => other !== key)
        } else {
          expect(fifo.shift()).toBe(model.shift())
        }
        expect(fifo.size).toBe(model.length)
      }
    }),
  )
})
