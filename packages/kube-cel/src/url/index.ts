// URLs as Go reads and writes them, for use outside of expressions, and addresses of webhooks.

export { GoUrl, parseRequestUri, parseUrl } from "./parse-url.ts";
export { UrlFailure } from "./percent.ts";
export {
  validateWebhookService,
  validateWebhookUrl,
  type WebhookAddress,
  type WebhookService,
  webhookAddress,
} from "./webhook-address.ts";
