# The celadon command as one file on a base without a shell. The file is the same for every architecture: only the base differs.
#   docker buildx build --platform linux/amd64,linux/arm64 -t celadon .
# For production, give both bases by digest. The program writes no file: it runs with a read-only root, without capabilities.
FROM --platform=$BUILDPLATFORM node:22-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --ignore-scripts && node scripts/bundle-image.mjs

FROM gcr.io/distroless/nodejs22-debian12:nonroot
COPY --from=build /src/apps/cli/dist/image/celadon.mjs /celadon.mjs
COPY --from=build /src/LICENSE /LICENSE
USER 65532:65532
ENV NODE_ENV=production
ENTRYPOINT ["/nodejs/bin/node", "/celadon.mjs"]
