import {
  atomic,
  atomicListOf,
  flag,
  int32,
  int64,
  listByKey,
  maybeEmpty,
  object,
  open,
  quantity,
  text,
} from './schema-notation.ts'

const items = atomicListOf(object({ key: text, mode: int32, path: text }, ['key', 'path']))

const namedItems = atomic(object({ items, name: maybeEmpty, optional: flag }))

const downwardItem = object(
  {
    fieldRef: atomic(object({ apiVersion: text, fieldPath: text }, ['fieldPath'])),
    mode: int32,
    path: text,
    resourceFieldRef: atomic(
      object({ containerName: text, divisor: quantity, resource: text }, ['resource']),
    ),
  },
  ['path'],
)

const projected = object({
  defaultMode: int32,
  sources: atomicListOf(
    object({
      configMap: namedItems,
      downwardAPI: object({ items: atomicListOf(downwardItem) }),
      secret: namedItems,
      serviceAccountToken: object({ audience: text, expirationSeconds: int64, path: text }, ['path']),
    }),
  ),
})

export const volumes = listByKey(
  'name',
  object(
    {
      configMap: atomic(object({ defaultMode: int32, items, name: maybeEmpty, optional: flag })),
      csi: open(),
      emptyDir: open(),
      ephemeral: open(),
      hostPath: open(),
      image: open(),
      name: text,
      persistentVolumeClaim: open(),
      projected,
      secret: object({ defaultMode: int32, items, optional: flag, secretName: text }),
    },
    ['name'],
  ),
)
