import { Document, isCollection, isMap, isNode, isPair, isScalar, isSeq, visit } from 'yaml'
import type { Comment, Explained } from '../objects/explained.ts'

/** Formats objects with their comments as the text of a file. */
export const yamlOf = (objects: readonly Explained[]): string =>
  objects
    .map(({ object, comments }) =>
      commented(object, comments).toString({ lineWidth: 0, flowCollectionPadding: false }),
    )
    .join('---\n')

/** Lists of words are written in one line. */
const inOneLine = new Set(['apiGroups', 'resources', 'verbs', 'drop'])

/** YAML 1.1, as kubectl reads it: unquoted `Off`, `no` and `1:30` are not strings there. */
const commented = (object: object, comments: readonly Comment[]): Document => {
  const document = new Document(object, { version: '1.1', aliasDuplicateObjects: false })
  visit(document, {
    Pair: (_, { key, value }) => {
      if (isScalar(key) && inOneLine.has(String(key.value)) && isSeq(value)) value.flow = true
    },
  })
  for (const one of comments) {
    if (typeof one !== 'string') comment(document, ...one)
    else if (isNode(document.contents)) document.contents.commentBefore = indented(one)
  }
  return document
}

const indented = (text: string): string => text.replaceAll(/^/gm, ' ')

const comment = (document: Document, path: readonly (string | number)[], text: string): void => {
  const lines = indented(text)
  const last = path.at(-1)
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true)
  if (isMap(parent)) {
    const pair = parent.items.find(({ key }) => isScalar(key) && key.value === last)
    if (isPair(pair) && isScalar(pair.key)) {
      pair.key.commentBefore = lines
      return
    }
  } else if (isCollection(parent)) {
    const item = parent.items[Number(last)]
    if (isNode(item)) {
      item.commentBefore = lines
      return
    }
  }
  throw new Error(`there is no ${path.join('.')} to comment on`)
}
