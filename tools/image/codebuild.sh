#!/usr/bin/env bash
# The steps of buildspec.yml: codebuild.sh prepare|verify-source|build|check|push|sbom
#
# Wants REGISTRY (account.dkr.ecr.region.amazonaws.com), REPOSITORY, SOURCE_HASH, BASE_IMAGE; RUN_TESTS=false leaves the
# tests out. What one step must tell the next lies in build/. Every step may be run again: one that finds the image of
# this source in the repository has nothing to do.
set -euo pipefail

readonly STATE=build
: "${REGISTRY:?}" "${REPOSITORY:?}" "${SOURCE_HASH:?}" "${BASE_IMAGE:?}"
readonly IMAGE="$REGISTRY/$REPOSITORY:$SOURCE_HASH"

fail() {
  echo "codebuild.sh: $*" >&2
  exit 1
}

# The digest under this source's tag, or nothing. Any answer but "there is no such image" is a failure: taking a
# refused call for a missing image would build over it.
published_digest() {
  local answer
  if answer=$(aws ecr describe-images --repository-name "$REPOSITORY" --image-ids "imageTag=$SOURCE_HASH" \
    --query 'imageDetails[0].imageDigest' --output text 2>"$STATE/describe.err"); then
    echo "$answer"
  elif ! grep -q ImageNotFoundException "$STATE/describe.err"; then
    cat "$STATE/describe.err" >&2
    return 1
  fi
}

is_published() { [ -s "$STATE/published" ]; }

prepare() {
  mkdir -p "$STATE"
  [[ $SOURCE_HASH =~ ^[0-9a-f]{12,64}$ ]] || fail "SOURCE_HASH '$SOURCE_HASH' is no hash"
  [ "$(uname -m)" = aarch64 ] || fail "this is $(uname -m); the project must be of type ARM_CONTAINER"
  case $BASE_IMAGE in
    public.ecr.aws/* | *.dkr.ecr.*.amazonaws.com*) ;;
    *) fail "BASE_IMAGE '$BASE_IMAGE' is not from ECR" ;;
  esac
  aws ecr get-login-password | docker login --username AWS --password-stdin "$REGISTRY"
  published_digest >"$STATE/published"
  if is_published; then echo "already published: $IMAGE is $(cat "$STATE/published")"; fi
}

verify_source() {
  if is_published || [ "${RUN_TESTS:-true}" != true ]; then return 0; fi
  npm ci
  npm run check
  npm test
}

build() {
  if is_published; then return 0; fi
  docker pull --quiet --platform linux/arm64 "$BASE_IMAGE"
  local pinned
  pinned=$(docker image inspect --format '{{index .RepoDigests 0}}' "$BASE_IMAGE")
  [[ $pinned == *@sha256:* ]] || fail "no digest for $BASE_IMAGE, got '$pinned'"
  echo "$pinned" >"$STATE/base"
  DOCKER_BUILDKIT=1 BUILDX_NO_DEFAULT_ATTESTATIONS=1 docker build --platform linux/arm64 \
    --file Dockerfile.arm64 --build-arg "BASE_IMAGE=$pinned" --build-arg "BUILD_IMAGE=$pinned" \
    --build-arg "REVISION=$SOURCE_HASH" --tag "$IMAGE" .
}

check() {
  if is_published; then return 0; fi
  local platform container tries
  platform=$(docker image inspect --format '{{.Os}}/{{.Architecture}}' "$IMAGE")
  [ "$platform" = linux/arm64 ] || fail "the image is $platform, not linux/arm64"
  docker run --rm --network none --user 0:0 --volume "$PWD/tools/image:/tools:ro" "$IMAGE" node /tools/native-files.ts /
  container=$(docker run --detach --network none --read-only --tmpfs /tmp --cap-drop ALL "$IMAGE")
  # shellcheck disable=SC2064 # the container's name is known now, and gone later
  trap "docker rm --force $container >/dev/null" EXIT
  for ((tries = 1; ; tries++)); do
    if docker exec "$container" node /app/dist/healthcheck.js; then break; fi
    if ((tries == 30)); then
      docker logs "$container" >&2
      fail 'the container does not become healthy'
    fi
    sleep "${CHECK_PAUSE_S:-1}"
  done
}

push() {
  if ! is_published; then
    # Two builds of one source may meet here; the repository takes the first, and its digest counts for both.
    docker push "$IMAGE" || echo 'push refused; looking whether the tag is there' >&2
    published_digest >"$STATE/published"
    is_published || fail "$IMAGE is not in the repository"
  fi
  local digest
  digest=$(cat "$STATE/published")
  {
    echo "export IMAGE_DIGEST=$digest"
    echo "export IMAGE_URI=$REGISTRY/$REPOSITORY@$digest"
    echo "export BASE_IMAGE_PINNED=$(cat "$STATE/base" 2>/dev/null || echo unchanged)"
  } >"$STATE/image.env"
}

sbom() {
  local container
  container=$(docker create "$REGISTRY/$REPOSITORY@$(cat "$STATE/published")")
  docker cp "$container:/app/sbom.cdx.json" "$STATE/sbom.cdx.json"
  docker rm "$container" >/dev/null
}

case ${1:-} in
  prepare) prepare ;;
  verify-source) verify_source ;;
  build) build ;;
  check) check ;;
  push) push ;;
  sbom) sbom ;;
  *) fail "unknown step '${1:-}'" ;;
esac
