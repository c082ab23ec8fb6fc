import { printable } from '../../../shared/text/printable.ts'
import type { NodeState, TreeNode } from '../tree.ts'

const colors = {
  ok: '#2da44e',
  gone: '#8c959f',
  unknown: '#8c959f',
  working: '#0969da',
  waiting: '#bf8700',
  failed: '#cf222e',
} as const satisfies Readonly<Record<NodeState, string>>

interface NumberedNode {
  readonly name: string
  readonly node: TreeNode
  readonly parent: string | undefined
}

/** Returns all nodes with names that every graph language accepts. */
const numbered = (root: TreeNode): readonly NumberedNode[] => {
  const all: NumberedNode[] = []
  const add = (node: TreeNode, parent: string | undefined) => {
    const name = `n${all.length}`
    all.push({ name, node, parent })
    for (const child of node.children) add(child, name)
  }
  add(root, undefined)
  return all
}

const labelOf = ({ title, detail, why }: TreeNode): readonly string[] =>
  [title, detail, why].filter(text => text !== undefined).map(printable)

/** Formats a tree for Graphviz: `trellis trace rose -o dot | dot -Tsvg`. */
export const treeAsDot = (tree: TreeNode): string => {
  const quoted = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')
  const lines = numbered(tree).flatMap(({ name, node, parent }) => [
    `  ${name} [label="${labelOf(node).map(quoted).join('\\n')}", color="${colors[node.state]}"]`,
    ...(parent === undefined ? [] : [`  ${parent} -> ${name}`]),
  ])
  return ['digraph trellis {', '  rankdir=LR', '  node [shape=box, style=rounded]', ...lines, '}', ''].join(
    '\n',
  )
}

/** Formats a tree for Mermaid, which Markdown pages show. */
export const treeAsMermaid = (tree: TreeNode): string => {
  // Mermaid has no escapes except entities.
  const quoted = (text: string) =>
    text.replace(/[&<>"#;`\\]/g, character => `#${character.codePointAt(0) ?? 0};`)
  const nodes = numbered(tree)
  const lines = nodes.map(({ name, node, parent }) => {
    const box = `${name}["${labelOf(node).map(quoted).join('<br>')}"]:::${node.state}`
    return `  ${parent === undefined ? box : `${parent} --> ${box}`}`
  })
  const states = [...new Set(nodes.map(({ node }) => node.state))]
  const classes = states.map(state => `  classDef ${state} stroke:${colors[state]}`)
  return ['flowchart LR', ...lines, ...classes, ''].join('\n')
}
