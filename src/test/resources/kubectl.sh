#!/bin/sh
echo "$*" >> "$SEEN"
case "$*" in
  *"get namespace team"*) exit 1 ;;
  *"apply -f -"*) cat > "$SEEN.applied" ;;
  diff*) echo '+ something'; exit 1 ;;
  kustomize*)
    echo "    eventing.knative.dev/broker.class: $WANTED"
    for name in coder dead-letter planner; do
      printf '%s\n' --- 'apiVersion: serving.knative.dev/v1' 'kind: Service' 'metadata:' "  name: $name"
    done ;;
  *" wait "*"/$UNREADY "* | *" wait "*"services.serving.knative.dev --all") [ -z "$UNREADY" ] ;;
  *"get services.serving"*)
    printf 'Service coder\tTrue\t: \n'
    [ -z "$UNREADY" ] || printf 'Service %s\tFalse\tContainerMissing: Unable to fetch image "r.example/mlestar:1"\nService new\t\t: \n' "$UNREADY" ;;
  *"get deployment eventing-controller"*) printf %s "$KNATIVE" ;;
  *"get brokers"*) printf %s "$INSTALLED" ;;
esac
