import type { LineQueue } from '../read/line-queue.ts'
import { listObjects } from '../read/list-objects.ts'
import { watchObjects } from '../read/watch-objects.ts'
import { notFound } from '../requests/api-error.ts'
import { type ApiResponse, jsonResponse } from '../requests/api-request.ts'
import {
  booleanParameter,
  checkListOptions,
  checkWatchOptions,
  numberParameter,
  selection,
  versionParameter,
} from '../requests/resource-query.ts'
import { resourceName } from '../resources/resource-definition.ts'
import { storeKey } from '../store/object-key.ts'
import type { ResourceCall } from './resource-call.ts'

/** The default timeout of a watch in seconds: 30 to 60 minutes at random, so that watches do not end together. */
const defaultWatchSeconds = (): number => 1_800 + Math.floor(Math.random() * 1_800)

export const getOne = ({ context, target, served, shown }: ResourceCall): ApiResponse => {
  const name = target.name ?? ''
  const entry = context.store.collection(resourceName(served.type)).get(storeKey(target.namespace, name))
  if (!entry) throw notFound(served.type, name)
  return jsonResponse(200, shown.one(entry))
}

export const list = ({ context, target, served, query, shown }: ResourceCall): ApiResponse => {
  checkListOptions(query)
  const page = listObjects(context, served, {
    namespace: target.namespace,
    ...selection(query, served.version),
    limit: numberParameter(query, 'limit'),
    continue: query.get('continue') || undefined,
    resourceVersion: versionParameter(query),
    resourceVersionMatch: query.get('resourceVersionMatch') ?? undefined,
  })
  return jsonResponse(200, shown.list(page.entries, page.metadata))
}

/** `track` is called when the watch starts, and its result when it ends. */
export const watch = (
  { context, target, served, query, shown }: ResourceCall,
  track: (resource: string, watch: LineQueue) => () => void,
): ApiResponse => {
  checkWatchOptions(query)
  const queue = watchObjects(
    context,
    served,
    {
      namespace: target.namespace,
      matches: selection(query, served.version).matches,
      resourceVersion: versionParameter(query),
      sendInitialEvents: booleanParameter(query, 'sendInitialEvents'),
      bookmarks: booleanParameter(query, 'allowWatchBookmarks'),
      timeoutSeconds: numberParameter(query, 'timeoutSeconds') ?? defaultWatchSeconds(),
    },
    shown,
    started => track(resourceName(served.type), started),
  )
  return { status: 200, headers: { 'content-type': 'application/json' }, body: queue }
}
