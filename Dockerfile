# The celadon command as one file on a base without a shell. The file is the same for every architecture: only the base differs.
#   docker buildx build --platform linux/amd64,linux/arm64 -t celadon .
# Tags can be moved. For production, give both bases by digest, found with `docker buildx imagetools inspect IMAGE`:
#   docker buildx build --build-arg BUILD_BASE=node:22.21.1-bookworm-slim@sha256:… --build-arg BASE=gcr.io/distroless/nodejs22-debian12:nonroot@sha256:… -t celadon .
# The second base has no tags of exact versions: without a digest it is the newest one.
# The program writes no file: it runs with a read-only root, without capabilities.
ARG BUILD_BASE=node:22.21.1-bookworm-slim
ARG BASE=gcr.io/distroless/nodejs22-debian12:nonroot
FROM --platform=$BUILDPLATFORM ${BUILD_BASE} AS build
WORKDIR /src
COPY . .
RUN npm ci --ignore-scripts && node scripts/bundle-image.mjs

FROM ${BASE}
COPY --from=build /src/apps/cli/dist/image/celadon.mjs /celadon.mjs
COPY --from=build /src/LICENSE /LICENSE
USER 65532:65532
ENV NODE_ENV=production
ENTRYPOINT ["/nodejs/bin/node", "/celadon.mjs"]
