import { deployedParts } from '../../knative/knative.ts'
import type { Installable } from '../deployment-of-values.ts'
import { type Conditions, templateText } from '../template/template-text.ts'
import { unionOf } from '../template/union-of.ts'
import {
  componentItem,
  functionItem,
  type SwitchName,
  switches,
  templateDeployment,
} from '../template-deployment.ts'
import { helperTemplates } from './helper-templates.ts'

const conditions: Conditions = {
  ofItem: item => `has ${JSON.stringify(item)} $on`,
  ofSwitch: name => switches[name as SwitchName],
}

/** `templates/`: the objects that knative makes, under the conditions of values. */
export const templatesOf = (installable: Installable): ReadonlyMap<string, string> => {
  const { functions, webhooks } = installable
  const items = [
    ...functions.map(({ name }) => functionItem(name)),
    ...new Set(webhooks.map(({ component }) => componentItem(component))),
  ]
  const partsOf = (isThere: (item: string) => boolean, isOn: (name: string) => boolean) =>
    deployedParts(templateDeployment(installable, isThere, isOn))
  const files = partsOf(
    () => true,
    () => true,
  ).map(({ file }) => file)
  return new Map([
    ['templates/_helpers.tpl', helperTemplates],
    ...files.map(file => {
      const objects = unionOf(
        (isThere, isOn) =>
          partsOf(isThere, isOn)
            .filter(part => part.file === file)
            .flatMap(part => part.objects.map(({ object }) => object)),
        { items, switches: Object.keys(switches) },
      )
      const text = [
        '{{- /* Made from the definitions by make manifests. */ -}}',
        '{{- $on := include "trellis.on" . | fromJsonArray }}',
        ...variablesOf(file),
        templateText(objects, conditions),
      ]
      return [`templates/${file}`, `${text.join('\n')}\n`] as const
    }),
  ])
}

/** What the templates of a file call `$function` and `$env`. */
const variablesOf = (file: string): readonly string[] => {
  const [, name] = /^functions\/(.+)\.yaml$/.exec(file) ?? []
  if (name !== undefined)
    return [
      `{{- $function := index .Values.functions ${JSON.stringify(name)} }}`,
      '{{- $env := merge (deepCopy $function.env) .Values.functionEnv }}',
    ]
  const process = ['bridge', 'webhook'].find(one => file === `${one}.yaml`)
  return process === undefined ? [] : [`{{- $env := .Values.${process}.env }}`]
}
