import { expect, test } from 'vitest'
import { chooseZone } from './zones.ts'

const zone = (id: string, name: string, action = 'NONE') => ({ id, name, action })

test('the zone with the longest name is chosen, label by label and in any case', () => {
  const zones = [zone('1', 'example.com.'), zone('2', 'pi.example.com.'), zone('3', 'Sub.example.com.')]
  expect(chooseZone('api.example.com.', zones, []).id).toBe('1')
  expect(chooseZone('x.sub.example.com.', zones, []).id).toBe('3')
  expect(chooseZone('sub.example.com.', zones, []).id).toBe('3')
})

test('a zone that Designate deletes is not chosen', () => {
  const zones = [zone('1', 'example.com.'), zone('2', 'sub.example.com.', 'DELETE')]
  expect(chooseZone('x.sub.example.com.', zones, []).id).toBe('1')
})

test('of several zones of one name, the one that may contain the record is chosen, else the lowest id', () => {
  const zones = [zone('2', 'example.com.'), zone('1', 'example.com.'), zone('3', 'example.com.')]
  expect(chooseZone('api.example.com.', zones, [])).toMatchObject({ id: '1', among: ['1', '2', '3'] })
  expect(chooseZone('api.example.com.', zones, ['3'])).toMatchObject({ id: '3' })
})
