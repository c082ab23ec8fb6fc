import { expect, test } from 'vitest'
import { type Call, ServiceError } from '../service.ts'
import { takes } from './takes.ts'

interface Input {
  readonly Name?: string
  readonly Kind?: string
}

const operation = takes((input: Input, _: Call<object>) => ({ made: input.Name }), 'Name')
const call = {} as Call<object>

test('an operation gets the members that it heeds', () => {
  expect(operation({ Name: 'a' } as never, call)).toEqual({ made: 'a' })
})

test('another member fails the call by its name', () => {
  const run = () => operation({ Name: 'a', Kind: 'b' } as never, call)
  expect(run).toThrow(ServiceError)
  expect(run).toThrow('NotImplemented: The simulator does not support the parameter Kind.')
})
