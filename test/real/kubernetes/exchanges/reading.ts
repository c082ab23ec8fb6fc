import type { Exchange } from '../exchange.ts'
import { get, metadataList, metadataOnly, table, widgets } from './requests.ts'

/** Widgets, read in all formats. */
export const reading: readonly Exchange[] = [
  get('a Widget', `${widgets}/a`),
  get('a Widget as a table', `${widgets}/a`, table),
  get('Widgets as a table', `${widgets}?limit=2&labelSelector=none`, table),
  get('the metadata of a Widget', `${widgets}/a`, metadataOnly),
  get('the metadata of Widgets', `${widgets}?fieldSelector=metadata.name=a`, metadataList),
  get('a Widget as HTML', `${widgets}/a`, 'text/html'),
  get('a bad label selector', `${widgets}?labelSelector=a%20b`),
  get('a bad set in a label selector', `${widgets}?labelSelector=a%20in%20b`),
  get('a bad field selector', `${widgets}?fieldSelector=a`),
  get('a field selector that is not supported', `${widgets}?fieldSelector=spec.size=1`),
  get('a limit that is no number', `${widgets}?limit=x`),
  get('a limit below zero', `${widgets}?limit=-1`),
  get('a continue token that is none', `${widgets}?limit=1&continue=x`),
  get('a continue token with a version', `${widgets}?limit=1&continue=x&resourceVersion=1`),
  get('a list of a version that is none', `${widgets}?resourceVersion=x`),
  get('a match of version 0', `${widgets}?resourceVersion=0&resourceVersionMatch=Exact`),
  get('a match with a continue token', `${widgets}?continue=x&resourceVersion=1&resourceVersionMatch=Exact`),
  get('a version match without a version', `${widgets}?resourceVersionMatch=Exact`),
  get('an unknown version match', `${widgets}?resourceVersion=1&resourceVersionMatch=Sometimes`),
  get('a watch from a version that is none', `${widgets}?watch=true&resourceVersion=x`),
  get('a watch with initial events and no match', `${widgets}?watch=true&sendInitialEvents=true`),
  get('a watch that is over at once', `${widgets}?watch=true&timeoutSeconds=1&fieldSelector=metadata.name=a`),
  get(
    'a watch of nothing',
    `${widgets}?watch=true&timeoutSeconds=1&resourceVersion=0&fieldSelector=metadata.name=none`,
  ),
]
