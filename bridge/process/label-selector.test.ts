import { expect, test } from 'vitest'
import { isLabelSelector } from './label-selector.ts'

test.each([
  'team',
  '!team',
  'team=a',
  'team==a,env!=test',
  'team=',
  'gardener.cloud/role in (a, b), tier notin (), !old',
  ' a = b , c ',
  'size>3,size<9',
])('it accepts %j', text => {
  expect(isLabelSelector(text)).toBe(true)
})

test.each([
  '',
  '===',
  'team=a,',
  ',team',
  'team=a b',
  'team in a',
  'team in (a',
  'team=-a',
  'Team.cloud/=a',
  'size>big',
  'a;b',
])('it refuses %j', text => {
  expect(isLabelSelector(text)).toBe(false)
})
