import { compactPrograms, deployedParts } from '../../knative/knative.ts'
import type { Installable } from '../deployment-of-values.ts'
import { type TemplateConditions, templateText } from '../template/template-text.ts'
import { ofVariants, unionOf, variantsOf } from '../template/union-of.ts'
import {
  componentItem,
  functionItem,
  namesText,
  type SwitchName,
  switches,
  type TemplateMode,
  templateDeployment,
} from '../template-deployment.ts'
import { helperTemplates } from './named-templates.ts'

const conditions: TemplateConditions = {
  ofItem: item => `has ${JSON.stringify(item)} $on`,
  ofSwitch: name => switches[name as SwitchName],
}

/**
 * `templates/`: the objects of knative, under the conditions of values. Each function has a file, and the files of
 * providers replace them in compact mode.
 */
export const templatesOf = (installable: Installable): ReadonlyMap<string, string> => {
  const single = filesOf(installable, 'single')
  const compact = filesOf(installable, 'compact')
  for (const [file, text] of single)
    if (!isOfFunctions(file) && compact.get(file) !== text)
      throw new Error(`${file} differs with compact, which no condition tells`)
  const condition = (mode: TemplateMode) => (mode === 'compact' ? '.Values.compact' : 'not .Values.compact')
  const under = (files: ReadonlyMap<string, string>, mode: TemplateMode) =>
    [...files].flatMap(([file, text]) =>
      isOfFunctions(file) ? [[file, `{{- if ${condition(mode)} }}\n${text}{{- end }}\n`] as const] : [],
    )
  return new Map([
    ['templates/_helpers.tpl', helperTemplates()],
    ...[...single].filter(([file]) => !isOfFunctions(file)),
    ...under(single, 'single'),
    ...under(compact, 'compact'),
  ])
}

const isOfFunctions = (file: string): boolean => file.startsWith('templates/functions/')

const filesOf = (installable: Installable, mode: TemplateMode): ReadonlyMap<string, string> => {
  const { functions, webhooks } = installable
  const items = [
    ...functions.map(({ name }) => functionItem(name)),
    ...new Set(webhooks.map(({ component }) => componentItem(component))),
  ]
  const parts = variantsOf(
    (isThere, isOn) => deployedParts(templateDeployment(installable, mode, isThere, isOn)),
    { items, switches: Object.keys(switches) },
  )
  return new Map(
    parts.all.map(({ file }) => {
      const objects = unionOf(
        ofVariants(parts, made =>
          made.filter(part => part.file === file).flatMap(part => part.objects.map(({ object }) => object)),
        ),
      )
      const text = [
        '{{- /* Made from the definitions by make manifests. */ -}}',
        '{{- $on := include "trellis.on" . | fromJsonArray }}',
        ...variablesOf(file, installable, mode),
        templateText(objects, conditions),
      ]
      return [`templates/${file}`, `${text.join('\n')}\n`] as const
    }),
  )
}

/** Returns the definitions of `$function`, `$env` and `$gardenAccess` for the templates of a file. */
const variablesOf = (file: string, { functions }: Installable, mode: TemplateMode): readonly string[] => {
  const [, name] = /^functions\/(.+)\.yaml$/.exec(file) ?? []
  if (name !== undefined && mode === 'compact') {
    const own = compactPrograms(functions).find(program => program.name === name)?.functions ?? []
    const given = `(list $ ${namesText(own)})`
    return [
      `{{- $env := include "trellis.compact.env" ${given} | fromJson }}`,
      `{{- $gardenAccess := include "trellis.compact.gardenAccess" ${given} }}`,
    ]
  }
  if (name !== undefined)
    return [
      `{{- $function := index .Values.functions ${JSON.stringify(name)} }}`,
      '{{- $env := merge (deepCopy $function.env) .Values.functionEnv }}',
      '{{- $gardenAccess := and $function.gardenAccess (include "trellis.gardenKubeconfig" .) }}',
    ]
  const process = ['bridge', 'webhook'].find(one => file === `${one}.yaml`)
  return process === undefined ? [] : [`{{- $env := .Values.${process}.env }}`]
}
