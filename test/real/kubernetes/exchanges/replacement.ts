import type { Exchange } from '../exchange.ts'
import { put, widget, widgets } from './requests.ts'

/** Replacements of Widgets that exist, and of those that do not. */
export const replacement: readonly Exchange[] = [
  put('without a version', `${widgets}/a`, widget('a')),
  put('with a version that is none', `${widgets}/a`, widget('a', { resourceVersion: 'x' })),
  put('at another version', `${widgets}/a`, widget('a', { resourceVersion: '1' })),
  put('of another name', `${widgets}/a`, widget('b', { resourceVersion: '1' })),
  put('of what is not there', `${widgets}/none`, widget('none')),
  put('of what is not there, with a version', `${widgets}/none`, widget('none', { resourceVersion: '1' })),
  put('of the status without a version', `${widgets}/a/status`, { ...widget('a'), status: { phase: 'Put' } }),
]
