// The checks that authors of CRDs need most, in one CRD.

import { type Example, example } from "./example.ts";
import { crd } from "./others.ts";

const SETTINGS = crd(
  "settings",
  "Settings",
  `              type: object
              x-kubernetes-validations:
                - rule: "(self.type == 'Custom') == has(self.custom)"
                  message: custom is required for type Custom and forbidden for others
                - rule: "(has(self.users) && self.users.size() > 0) != (has(self.groups) && self.groups.size() > 0)"
                  message: either users or groups, not both and not none
                - rule: "!has(self.allowed) || !has(self.denied) || !self.allowed.exists(c, c in self.denied)"
                  message: nothing is both allowed and denied
                - rule: "!has(self.used) || !has(self.hard) || quantity(self.used).compareTo(quantity(self.hard)) <= 0"
                  messageExpression: "'used ' + self.used + ' is over the hard limit ' + self.hard"
              properties:
                type:
                  type: string
                  enum: [Default, Custom, Locked]
                  x-kubernetes-validations:
                    - rule: oldSelf != 'Locked' || self == oldSelf
                      message: Locked cannot be changed
                custom:
                  type: object
                  properties:
                    host:
                      type: string
                      maxLength: 253
                      x-kubernetes-validations:
                        - rule: "!format.dns1123Subdomain().validate(self).hasValue()"
                          message: not a DNS name
                certificates:
                  type: array
                  maxItems: 10
                  items:
                    type: object
                    required: [name]
                    properties:
                      name:
                        type: string
                        maxLength: 63
                        x-kubernetes-validations:
                          - rule: self != 'default'
                            message: the certificate default is built in
                nodeSelector:
                  type: object
                  maxProperties: 10
                  additionalProperties: { type: string, maxLength: 63 }
                  x-kubernetes-validations:
                    - rule: self.all(key, !format.qualifiedName().validate(key).hasValue())
                      message: keys must be names of labels
                users: { type: array, maxItems: 10, items: { type: string, maxLength: 63 } }
                groups: { type: array, maxItems: 10, items: { type: string, maxLength: 63 } }
                allowed: { type: array, maxItems: 10, items: { type: string, maxLength: 63 } }
                denied: { type: array, maxItems: 10, items: { type: string, maxLength: 63 } }
                used: { type: string, maxLength: 20 }
                hard: { type: string, maxLength: 20 }
`,
).replace(
  "          required: [spec]\n",
  `          required: [spec]
          x-kubernetes-validations:
            - rule: self.metadata.name == 'cluster'
              message: there is one object of this kind, called cluster
`,
);

const OBJECT = `apiVersion: example.com/v1
kind: Settings
metadata:
  name: cluster
  namespace: shop
spec:
  type: Custom
  users: [ann]
  certificates:
    - name: default
  allowed: [NET_ADMIN, SYS_TIME]
  denied: [SYS_TIME]
  used: 600Mi
  hard: 1Gi
`;

export const COMMON_RULES: Example = example(
  "Rules of custom resources",
  "common-rules",
  "Common checks",
  "Required or forbidden together, either or, disjoint lists, quantities, names, locked values",
  { mode: "crd", policy: SETTINGS, object: OBJECT },
);
