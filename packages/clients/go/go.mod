module github.com/waybill-freight/waybill/packages/clients/go

go 1.19
