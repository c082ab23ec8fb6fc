import type { LibraryEntry, LibraryExport } from './read-exports.ts'

/** The purpose of each page, for its first line and for the index. */
const about: Readonly<Record<string, string>> = {
  trellis: 'a function: its definition, the results of its steps, and its errors',
  infra: 'resources that depend on each other ([the engine](../engine.md))',
  'backup-entry': 'a BackupEntry',
  'control-plane': 'a ControlPlane ([its flow](../control-plane.md#another-cloud))',
  'operating-system': 'an OperatingSystemConfig',
  resources: 'ManagedResources, and an Extension that consists of one',
  components: 'components in a seed or shoot: images, objects, labels, PriorityClasses',
  secrets: 'CAs, certificates and passwords that rotate',
  shoot: 'facts of a shoot, the resources that it lists, and access to its API server',
  worker: 'a Worker ([its flow](../workers.md#another-cloud))',
  webhooks: 'a webhook ([webhooks](../webhooks.md#for-authors))',
  health: 'health checks ([health](../health.md))',
  testing: 'tests, and seeds on your machine',
}

/** Returns the pages of `docs/reference`, by file name. `make docs` writes them. */
export const referencePages = (entries: readonly LibraryEntry[]): Readonly<Record<string, string>> => ({
  'README.md': indexPage(entries),
  ...Object.fromEntries(entries.map(entry => [`${entry.page}.md`, entryPage(entry)])),
})

const generated = '<!-- made from the code by make docs -->'

const indexPage = (entries: readonly LibraryEntry[]): string => `# API reference

${generated}

For authors. After this page you know which entry of the library to import. [The library](../library.md) describes how to serve a function.

| entry | exports | for |
|---|---|---|
${entries.map(({ name, page, exports }) => `| [\`${name}\`](${page}.md) | ${exports.length} | ${about[page] ?? ''} |`).join('\n')}
`

const entryPage = ({ name, page, exports }: LibraryEntry): string => {
  const values = exports.filter(({ kind }) => kind !== 'type')
  const types = exports.filter(({ kind }) => kind === 'type')
  return `# ${name}

${generated}

For authors of ${about[page] ?? 'functions'}. After this page you know each export and its type.

${[...values, ...types].map(sectionOf).join('\n')}`
}

const sectionOf = ({ name, declaration, about, examples }: LibraryExport): string => {
  const code = (text: string) => `\`\`\`ts\n${text}\n\`\`\`\n`
  return [
    `## ${name}\n`,
    `${plain(about)}\n`,
    code(declaration),
    ...examples.map(example => `Example:\n\n${code(example)}`),
  ].join('\n')
}

/** Comments name pages by their path in the repository. */
const plain = (about: string): string =>
  about.replaceAll(/\n(?!\n)/g, ' ').replaceAll(/\bdocs\/([\w/-]+\.md)(#[\w-]+)?/g, '[$1](../$1$2)')
