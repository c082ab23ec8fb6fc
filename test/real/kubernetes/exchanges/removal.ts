import type { Exchange } from '../exchange.ts'
import { noUid, options, patch, post, remove, widget, widgets } from './requests.ts'

/** Deletions of Widgets, immediate and delayed. */
export const removal: readonly Exchange[] = [
  remove('of what is not there', `${widgets}/none`),
  remove('with another uid', `${widgets}/a`, options({ preconditions: { uid: noUid } })),
  remove('with another version', `${widgets}/a`, options({ preconditions: { resourceVersion: '1' } })),
  remove('with an unknown policy', `${widgets}/a`, options({ propagationPolicy: 'Sometimes' })),
  remove(
    'with two policies',
    `${widgets}/f`,
    options({ propagationPolicy: 'Background', orphanDependents: true }),
  ),
  remove('with broken options', `${widgets}/a`, '{'),
  remove('dry', `${widgets}/a?dryRun=All`),
  remove('with grace', `${widgets}/c`, options({ gracePeriodSeconds: 30 })),
  post('a held Widget', widget('held', { finalizers: ['example.com/hold'] })),
  remove('of a held Widget', `${widgets}/held`),
  remove('of a held Widget again', `${widgets}/held`),
  patch('of a Widget that goes', `${widgets}/held`, { spec: { size: 2 } }),
  patch('of its finalizers', `${widgets}/held`, {
    metadata: { finalizers: ['example.com/hold', 'example.com/more'] },
  }),
  post('a Widget in place of one that goes', widget('held')),
  patch('that lets it go', `${widgets}/held`, { metadata: { finalizers: null } }),
  post('a Widget that waits for its dependents', widget('front')),
  remove('in the foreground', `${widgets}/front`, options({ propagationPolicy: 'Foreground' })),
  post('a Widget that lets its dependents be', widget('orphan')),
  remove('that leaves orphans', `${widgets}/orphan`, options({ propagationPolicy: 'Orphan' })),
  remove('of all with a label', `${widgets}?labelSelector=none`),
  remove('of one by its query', `${widgets}/d?propagationPolicy=Background`),
  remove(
    'of all with two policies',
    widgets,
    options({ propagationPolicy: 'Orphan', orphanDependents: false }),
  ),
  remove('that leaves orphans in the old way', `${widgets}/e`, options({ orphanDependents: true })),
]
