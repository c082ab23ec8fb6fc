import { expect, test } from 'vitest'
import { type Call, ServiceError } from '../service.ts'
import { takes } from './takes.ts'

interface Input {
  readonly Name?: string
  readonly Kind?: string
}

const operation = takes((input: Input, _: Call<object>) => ({ made: input.Name }), 'Name')
const call = {} as Call<object>

test('an operation receives its supported members', () => {
  expect(operation({ Name: 'a' } as never, call)).toEqual({ made: 'a' })
})

test('any other member fails the call, and the error names it', () => {
  const run = () => operation({ Name: 'a', Kind: 'b' } as never, call)
  expect(run).toThrow(ServiceError)
  expect(run).toThrow('NotImplemented: The simulator does not support the parameter Kind.')
})
