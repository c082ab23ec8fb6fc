import { expect, test } from 'vitest'
import type { MachineSet } from '../../contract/objects.ts'
import type { DesiredDeployment } from '../desired/desired-deployment.ts'
import { formerClasses } from './former-classes.ts'

const deployment = (name: string, className: string) =>
  ({ name, className, pool: { name } }) as unknown as DesiredDeployment

const set = (name: string, className: string) =>
  ({
    metadata: { name: className, labels: { name } },
    spec: { template: { spec: { class: { name: className } } } },
  }) as unknown as MachineSet

const desired = [deployment('a', 'a-new'), deployment('b', 'b-new')]
const namesOf = (sets: readonly MachineSet[], present: readonly string[] = []) =>
  formerClasses(desired, sets, new Set(present)).map(({ name, className }) => [name, className])

test('each class of a set that does not exist is written once, with the content of its deployment', () => {
  const sets = [set('a', 'a-old'), set('a', 'a-older'), set('b', 'b-new'), set('a', 'a-old')]
  expect(namesOf(sets)).toEqual([
    ['a', 'a-old'],
    ['a', 'a-older'],
  ])
})

test('an existing class is not changed, and neither are those of others', () => {
  expect(namesOf([set('a', 'a-old'), set('foreign', 'x')], ['a-old'])).toEqual([])
})
